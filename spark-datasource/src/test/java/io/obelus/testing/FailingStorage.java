package io.obelus.testing;

import io.obelus.core.io.SeekableInput;
import io.obelus.core.io.Storage;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;

/**
 * A storage that counts its operations and breaks at one of them, so that a test can break a commit
 * at every step in turn:
 *
 * <pre>
 *   for (int step = 1; ; step++) {
 *     FailingStorage storage = FailingStorage.failingAt(step, real);
 *     … // try, then look at storage.healed()
 *     if (!storage.hasFailed()) return;
 *   }
 * </pre>
 *
 * <p>Steps count from 1: each method of {@link Storage} is one, and so is closing a stream of
 * {@link #create}. Thread-safe; a copy that travelled to a task of this JVM counts with the
 * original.
 */
public final class FailingStorage implements Storage {

  private static final long serialVersionUID = 1;
  private static final Map<Integer, State> STATES = new ConcurrentHashMap<>();
  private static final AtomicInteger NEXT = new AtomicInteger();

  private final Storage inner;
  private final int id = NEXT.getAndIncrement();

  /** What all copies of one storage share. */
  private static final class State {
    final List<String> operations = new ArrayList<>();
    final Map<String, Long> bytesRead = new HashMap<>();
    final Map<String, Long> requests = new HashMap<>();
    final int step;
    boolean dies;
    boolean afterDoing;
    boolean failed;
    Predicate<String> raced = operation -> false;
    IoAction hook = () -> {};

    State(int step) {
      this.step = step;
    }
  }

  /** Something that may fail as files do. */
  @FunctionalInterface
  public interface IoAction {
    void run() throws IOException;
  }

  @FunctionalInterface
  private interface IoCall<T> {
    T run() throws IOException;
  }

  private FailingStorage(int step, Storage inner) {
    this.inner = inner;
    STATES.put(id, new State(step));
  }

  /** Fails at one step and works again afterwards. */
  public static FailingStorage failingAt(int step, Storage inner) {
    return new FailingStorage(step, inner);
  }

  /** Fails at a step and at all that follow, as when the process is killed. */
  public static FailingStorage dyingAt(int step, Storage inner) {
    FailingStorage storage = new FailingStorage(step, inner);
    storage.state().dies = true;
    return storage;
  }

  /** Never fails, only counts. */
  public static FailingStorage counting(Storage inner) {
    return new FailingStorage(0, inner);
  }

  /** Does what it is asked for before it fails: the caller cannot know the outcome. */
  public FailingStorage afterDoing() {
    state().afterDoing = true;
    return this;
  }

  /** Runs {@code hook} once, just before a snapshot is claimed: somebody else is faster. */
  public FailingStorage beforeSnapshot(IoAction hook) {
    return before(operation -> operation.matches("createIfAbsent .*/snapshot/snapshot-\\d+"), hook);
  }

  /**
   * Runs {@code hook} once, just before the first operation that is meant; the storage itself is
   * what the hook should not use.
   *
   * @param operation told as in {@link #operations}
   */
  public FailingStorage before(Predicate<String> operation, IoAction hook) {
    State state = state();
    synchronized (state) {
      state.raced = operation;
      state.hook = hook;
    }
    return this;
  }

  /** The storage below, which works. */
  public Storage healed() {
    return inner;
  }

  /** Whether the step was reached. */
  public boolean hasFailed() {
    return state().failed;
  }

  /** What was asked for so far, such as {@code "open file:/t/manifest/manifest-1"}. */
  public List<String> operations() {
    State state = state();
    synchronized (state) {
      return List.copyOf(state.operations);
    }
  }

  /** Bytes read so far of the files whose paths are meant. */
  public long bytesRead(Predicate<String> paths) {
    return sum(state().bytesRead, paths);
  }

  /** How many times so far bytes of these files were asked for. */
  public long requests(Predicate<String> paths) {
    return sum(state().requests, paths);
  }

  private long sum(Map<String, Long> counts, Predicate<String> paths) {
    synchronized (state()) {
      return counts.entrySet().stream()
          .filter(file -> paths.test(file.getKey()))
          .mapToLong(Map.Entry::getValue)
          .sum();
    }
  }

  private State state() {
    return STATES.get(id);
  }

  private <T> T step(String operation, IoCall<T> call) throws IOException {
    boolean fails;
    State state = state();
    hookBefore(operation, state).run();
    synchronized (state) {
      state.operations.add(operation);
      int step = state.operations.size();
      fails = step == state.step || (state.dies && step > state.step);
      state.failed |= fails;
    }
    if (fails && !state.afterDoing) {
      throw new IOException("broken on purpose: " + operation);
    }
    T result = call.run();
    if (fails) {
      throw new IOException("broken on purpose, after it was done: " + operation);
    }
    return result;
  }

  private static IoAction hookBefore(String operation, State state) {
    synchronized (state) {
      if (!state.raced.test(operation)) {
        return () -> {};
      }
      state.raced = other -> false;
      return state.hook;
    }
  }

  @Override
  public SeekableInput open(String path) throws IOException {
    return new Counted(path, step("open " + path, () -> inner.open(path)));
  }

  @Override
  public long size(String path) throws IOException {
    return step("size " + path, () -> inner.size(path));
  }

  @Override
  public boolean exists(String path) throws IOException {
    return step("exists " + path, () -> inner.exists(path));
  }

  @Override
  public List<Entry> list(String directory) throws IOException {
    return step("list " + directory, () -> inner.list(directory));
  }

  @Override
  public OutputStream create(String path) throws IOException {
    return new Closing(path, step("create " + path, () -> inner.create(path)));
  }

  @Override
  public boolean createIfAbsent(String path, byte[] content) throws IOException {
    return step("createIfAbsent " + path, () -> inner.createIfAbsent(path, content));
  }

  @Override
  public void overwrite(String path, byte[] content) throws IOException {
    step("overwrite " + path, () -> done(() -> inner.overwrite(path, content)));
  }

  @Override
  public void makeDirectory(String directory) throws IOException {
    step("makeDirectory " + directory, () -> done(() -> inner.makeDirectory(directory)));
  }

  @Override
  public void rename(String from, String to) throws IOException {
    step("rename " + from + " to " + to, () -> done(() -> inner.rename(from, to)));
  }

  @Override
  public boolean delete(String path) throws IOException {
    return step("delete " + path, () -> inner.delete(path));
  }

  @Override
  public boolean deleteDirectory(String directory) throws IOException {
    return step("deleteDirectory " + directory, () -> inner.deleteDirectory(directory));
  }

  @Override
  public Configuration configuration() {
    return inner.configuration();
  }

  private static boolean done(IoAction action) throws IOException {
    action.run();
    return true;
  }

  /** An input whose bytes are counted. */
  private final class Counted implements SeekableInput {
    private final String path;
    private final SeekableInput in;

    Counted(String path, SeekableInput in) {
      this.path = path;
      this.in = in;
    }

    private void count(long bytes) {
      State state = state();
      synchronized (state) {
        state.bytesRead.merge(path, bytes, Long::sum);
        state.requests.merge(path, 1L, Long::sum);
      }
    }

    @Override
    public long size() {
      return in.size();
    }

    @Override
    public long position() throws IOException {
      return in.position();
    }

    @Override
    public void seek(long offset) throws IOException {
      in.seek(offset);
    }

    @Override
    public int read(byte[] target, int at, int length) throws IOException {
      int read = in.read(target, at, length);
      count(Math.max(0, read));
      return read;
    }

    @Override
    public void readFully(byte[] target, int at, int length) throws IOException {
      in.readFully(target, at, length);
      count(length);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  /** A stream whose close is a step of its own; a file is complete only after it. */
  private final class Closing extends FilterOutputStream {
    private final String path;
    private boolean closed;

    Closing(String path, OutputStream out) {
      super(out);
      this.path = path;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      out.write(bytes, from, length); // the inherited one goes byte by byte
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      try {
        step("close " + path, () -> done(out::close));
      } finally {
        out.close(); // no descriptor may leak out of a test; what was written so far stays
      }
    }
  }
}
