package io.obelus.spark.write;

import io.obelus.core.bucket.BucketChange;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/**
 * What a task says when it is done: its bucket changes.
 *
 * <p>They travel as bytes that we made, because Spark sends messages through {@code
 * spark.serializer}: Kryo fails on records and on the lists of the JDK.
 */
public final class ObelusCommitMessage implements WriterCommitMessage {

  private static final long serialVersionUID = 1;

  private final byte[] changes;

  public ObelusCommitMessage(List<BucketChange> changes) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeInt(changes.size());
      for (BucketChange change : changes) {
        out.writeObject(change);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.changes = bytes.toByteArray();
  }

  /** All changes of a write. Null where a task sent no message is passed over. */
  static List<BucketChange> changes(WriterCommitMessage[] messages) {
    List<BucketChange> all = new ArrayList<>();
    for (WriterCommitMessage message : messages) {
      if (message instanceof ObelusCommitMessage ours) {
        ours.addTo(all);
      } else if (message != null) {
        throw new IllegalStateException(
            "a commit message of Obelus was expected but this is a " + message.getClass());
      }
    }
    return all;
  }

  private void addTo(List<BucketChange> all) {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(changes))) {
      for (int left = in.readInt(); left > 0; left--) {
        all.add((BucketChange) in.readObject());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("a task of another release of Obelus sent a message", e);
    }
  }
}
