package io.obelus.core.table.manifest;

import io.obelus.core.io.Place;
import io.obelus.core.io.UnknownVersionException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.apache.avro.io.Encoder;

/**
 * How one value of a file is read: by the schema it was written with, into the form that our own
 * schema asks for. Fields are matched by name; one that we do not know is passed over, one that the
 * file lacks is null.
 *
 * <p>Values are {@code Integer}, {@code Long}, {@code String}, {@code byte[]}, {@code List} of an
 * array, and {@code Object[]} of a record, in the order of our schema's fields. {@link #write} is
 * the way back.
 */
abstract class AvroValue {

  abstract Object read(AvroCursor in);

  void skip(AvroCursor in) {
    read(in);
  }

  /** Writes a value in the form described above. */
  static void write(Schema schema, Object value, Encoder out) throws IOException {
    switch (schema.getType()) {
      case INT -> out.writeInt((Integer) value);
      case LONG -> out.writeLong((Long) value);
      case STRING -> out.writeString((String) value);
      case BYTES -> out.writeBytes((byte[]) value);
      case UNION -> {
        int branch = value == null ? 0 : 1;
        out.writeIndex(branch);
        if (value != null) {
          write(schema.getTypes().get(branch), value, out);
        }
      }
      case ARRAY -> {
        List<?> items = (List<?>) value;
        out.writeArrayStart();
        out.setItemCount(items.size());
        for (Object item : items) {
          out.startItem();
          write(schema.getElementType(), item, out);
        }
        out.writeArrayEnd();
      }
      case RECORD -> {
        Object[] values = (Object[]) value;
        for (Schema.Field field : schema.getFields()) {
          write(field.schema(), values[field.pos()], out);
        }
      }
      default -> throw new IllegalStateException("no manifest holds a " + schema.getType());
    }
  }

  /**
   * The reader of a file's records.
   *
   * @param written the file's schema; in files of 0.8 a union around the record
   * @param known our schema, whose first field is the version
   * @param gate index of a field of our schema before which {@code open} is asked; -1 = never
   * @param open called with what was read of the record; false = the rest is passed over and the
   *     record is null
   */
  static AvroValue root(
      Schema written, Schema known, Version version, int gate, Predicate<Object[]> open) {
    Schema root = nonNull(written);
    if (root.getType() != Schema.Type.RECORD) {
      return mismatch("the record", known, root);
    }
    Record reader = new Record(root, known, "", version, gate, open);
    return written.getType() == Schema.Type.UNION
        ? new Union(written, List.of(reader), "the record")
        : reader;
  }

  /** What the first field of every record has to be. */
  record Version(Place place, String what, int known) {
    void check(Object found) {
      if (!Integer.valueOf(known).equals(found)) {
        throw new UnknownVersionException(place, what, found instanceof Integer v ? v : 0, known);
      }
    }
  }

  /**
   * @param known null if the value is only to be passed over
   */
  private static AvroValue of(Schema written, Schema known, String name) {
    if (written.getType() == Schema.Type.UNION) {
      return new Union(
          written,
          written.getTypes().stream()
              .filter(branch -> branch.getType() != Schema.Type.NULL)
              .map(branch -> of(branch, known, name))
              .toList(),
          name);
    }
    Schema wanted = known == null ? written : nonNull(known);
    boolean widened = written.getType() == Schema.Type.INT && wanted.getType() == Schema.Type.LONG;
    if (written.getType() != wanted.getType() && !widened) {
      return mismatch(name, wanted, written);
    }
    return switch (written.getType()) {
      case NULL -> of(in -> null);
      case BOOLEAN -> of(in -> passed(in, 1));
      case FLOAT -> of(in -> passed(in, 4));
      case DOUBLE -> of(in -> passed(in, 8));
      case FIXED -> of(in -> passed(in, written.getFixedSize()));
      case INT -> widened ? of(in -> (long) in.readInt()) : of(AvroCursor::readInt);
      case ENUM -> of(AvroCursor::readInt);
      case LONG -> of(AvroCursor::readLong);
      case STRING -> new Sized(AvroCursor::readString);
      case BYTES -> new Sized(AvroCursor::readBytes);
      case ARRAY ->
          new Items(
              of(written.getElementType(), known == null ? null : wanted.getElementType(), name));
      case MAP -> new Entries(of(written.getValueType(), null, name));
      case RECORD -> new Record(written, known == null ? null : wanted, name, null, -1, null);
      case UNION -> throw new IllegalStateException("a union is looked into above");
    };
  }

  private interface Read {
    Object read(AvroCursor in);
  }

  private static AvroValue of(Read read) {
    return new AvroValue() {
      @Override
      Object read(AvroCursor in) {
        return read.read(in);
      }
    };
  }

  private static Object passed(AvroCursor in, int bytes) {
    in.skip(bytes);
    return null;
  }

  /** Complains when it is used, not before: the record's version comes first and says more. */
  private static AvroValue mismatch(String name, Schema wanted, Schema written) {
    return of(
        in -> {
          throw in.corrupt(
              "%s should be of Avro type %s but is %s"
                  .formatted(name, wanted.getType(), written.getType()));
        });
  }

  private static Schema nonNull(Schema schema) {
    if (schema.getType() != Schema.Type.UNION) {
      return schema;
    }
    return schema.getTypes().stream()
        .filter(branch -> branch.getType() != Schema.Type.NULL)
        .findFirst()
        .orElseThrow();
  }

  /** Bytes or text: passed over without a copy. */
  private static final class Sized extends AvroValue {
    private final Read read;

    Sized(Read read) {
      this.read = read;
    }

    @Override
    Object read(AvroCursor in) {
      return read.read(in);
    }

    @Override
    void skip(AvroCursor in) {
      in.skipBytes();
    }
  }

  private static final class Union extends AvroValue {
    private final AvroValue[] branches; // null for the branch null
    private final String name;

    Union(Schema written, List<? extends AvroValue> others, String name) {
      this.name = name;
      branches = new AvroValue[written.getTypes().size()];
      int other = 0;
      for (int i = 0; i < branches.length; i++) {
        if (written.getTypes().get(i).getType() != Schema.Type.NULL) {
          branches[i] = others.get(other++);
        }
      }
    }

    @Override
    Object read(AvroCursor in) {
      AvroValue branch = branch(in);
      return branch == null ? null : branch.read(in);
    }

    @Override
    void skip(AvroCursor in) {
      AvroValue branch = branch(in);
      if (branch != null) {
        branch.skip(in);
      }
    }

    private AvroValue branch(AvroCursor in) {
      int index = in.readInt();
      if (index < 0 || index >= branches.length) {
        throw in.corrupt(
            "%s has branch %d of a union of %d".formatted(name, index, branches.length));
      }
      return branches[index];
    }
  }

  private static final class Items extends AvroValue {
    private final AvroValue item;

    Items(AvroValue item) {
      this.item = item;
    }

    @Override
    Object read(AvroCursor in) {
      int count = in.readItemCount();
      List<Object> items = new ArrayList<>(Math.min(count, 64));
      for (; count > 0; count = in.readItemCount()) {
        for (int i = 0; i < count; i++) {
          items.add(item.read(in));
        }
      }
      return items;
    }

    @Override
    void skip(AvroCursor in) {
      for (int count = in.readItemCount(); count > 0; count = in.readItemCount()) {
        for (int i = 0; i < count; i++) {
          item.skip(in);
        }
      }
    }
  }

  /** A map: none of our schemas has one, so it is only ever passed over. */
  private static final class Entries extends AvroValue {
    private final AvroValue value;

    Entries(AvroValue value) {
      this.value = value;
    }

    @Override
    Object read(AvroCursor in) {
      for (int count = in.readItemCount(); count > 0; count = in.readItemCount()) {
        for (int i = 0; i < count; i++) {
          in.skipBytes();
          value.skip(in);
        }
      }
      return null;
    }
  }

  private static final class Record extends AvroValue {
    private final AvroValue[] fields; // of the file, in its order
    private final int[] targets; // index in our schema, -1 = unknown to us
    private final Schema known;
    private final int[] required; // indexes in our schema
    private final String name;
    private final Version version;
    private final int gate;
    private final Predicate<Object[]> open;

    Record(
        Schema written,
        Schema known,
        String name,
        Version version,
        int gate,
        Predicate<Object[]> open) {
      this.known = known;
      this.name = name;
      this.version = version;
      this.gate = gate;
      this.open = open;
      int size = written.getFields().size();
      fields = new AvroValue[size];
      targets = new int[size];
      for (Schema.Field field : written.getFields()) {
        Schema.Field ours = known == null ? null : known.getField(field.name());
        targets[field.pos()] = ours == null ? -1 : ours.pos();
        fields[field.pos()] =
            of(field.schema(), ours == null ? null : ours.schema(), name + "/" + field.name());
      }
      required =
          known == null
              ? new int[0]
              : IntStream.range(0, known.getFields().size())
                  .filter(i -> known.getFields().get(i).schema().getType() != Schema.Type.UNION)
                  .toArray();
    }

    @Override
    Object read(AvroCursor in) {
      if (known == null) {
        skip(in);
        return null;
      }
      Object[] values = new Object[known.getFields().size()];
      boolean wanted = true;
      for (int i = 0; i < fields.length; i++) {
        int target = targets[i];
        if (target >= 0 && target == gate) {
          wanted = open.test(values);
        }
        if (target < 0 || !wanted) {
          fields[i].skip(in);
        } else {
          values[target] = fields[i].read(in);
          if (target == 0 && version != null) {
            version.check(values[0]);
          }
        }
      }
      if (!wanted) {
        return null;
      }
      if (version != null) {
        version.check(values[0]);
      }
      for (int i : required) {
        if (values[i] == null) {
          throw in.corrupt(name + "/" + known.getFields().get(i).name() + " is missing");
        }
      }
      return values;
    }

    @Override
    void skip(AvroCursor in) {
      for (AvroValue field : fields) {
        field.skip(in);
      }
    }
  }
}
