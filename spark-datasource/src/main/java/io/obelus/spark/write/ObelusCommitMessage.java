package io.obelus.spark.write;

import io.obelus.core.bucket.BucketChange;
import io.obelus.core.table.maintenance.StruckRows;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * What a task says when it is done: its bucket changes, and rows of others' files to strike out.
 *
 * <p>They travel as bytes that we made, because Spark sends messages through {@code
 * spark.serializer}: Kryo fails on records and on the lists of the JDK.
 */
public final class ObelusCommitMessage implements WriterCommitMessage {

  private static final long serialVersionUID = 1;

  private final byte[] content;

  /** What {@link #content} holds. */
  private record Content(List<BucketChange> changes, StruckRows struckOut)
      implements Serializable {}

  public ObelusCommitMessage(List<BucketChange> changes) {
    this(changes, new StruckRows());
  }

  public ObelusCommitMessage(List<BucketChange> changes, StruckRows struckOut) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Content(new ArrayList<>(changes), struckOut));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.content = bytes.toByteArray();
  }

  /** All changes of a write. Null where a task sent no message is passed over. */
  static List<BucketChange> changes(WriterCommitMessage[] messages) {
    List<BucketChange> all = new ArrayList<>();
    contents(messages).forEach(content -> all.addAll(content.changes));
    return all;
  }

  /** All rows that a write strikes out. */
  static StruckRows struckOut(WriterCommitMessage[] messages) {
    StruckRows all = new StruckRows();
    contents(messages).forEach(content -> all.addAll(content.struckOut));
    return all;
  }

  private static Stream<Content> contents(WriterCommitMessage[] messages) {
    return Arrays.stream(messages)
        .filter(Objects::nonNull)
        .map(
            message -> {
              if (message instanceof ObelusCommitMessage ours) {
                return ours.content();
              }
              throw new IllegalStateException(
                  "a commit message of Obelus was expected but this is a " + message.getClass());
            });
  }

  private Content content() {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(content))) {
      return (Content) in.readObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("a task of another release of Obelus sent a message", e);
    }
  }
}
