package io.obelus.core.file.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.testing.Seeds;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.junit.jupiter.api.Test;

class PageBytesTest {

  /** Some way of reading; what it returned, or what it threw. */
  private static Object step(ByteBufferInputStream in, int what, int length) throws IOException {
    try {
      return switch (what) {
        case 0 -> in.read();
        case 1 -> {
          byte[] target = new byte[length + 2];
          int read = in.read(target, 1, length);
          yield List.of(read, ByteBuffer.wrap(target));
        }
        case 2 -> {
          ByteBuffer target = ByteBuffer.allocate(length);
          yield List.of(in.read(target), copy(target));
        }
        case 3 -> {
          ByteBuffer slice = in.slice(length);
          yield List.of(copy(slice), slice.hasArray(), slice.order());
        }
        case 4 -> in.sliceBuffers(length).stream().map(PageBytesTest::copy).toList();
        case 5 -> all(in.sliceStream(length));
        case 6 -> in.skip(length);
        case 7 -> {
          in.skipFully(length);
          yield "skipped";
        }
        case 8 -> {
          in.mark(100);
          yield "marked";
        }
        case 9 -> {
          in.reset();
          yield "reset";
        }
        default -> List.of(copy(in.toByteBuffer()), in.markSupported());
      };
    } catch (EOFException e) {
      return "end of page";
    } catch (IOException e) {
      return "trouble";
    }
  }

  private static ByteBuffer copy(ByteBuffer buffer) {
    ByteBuffer copy = ByteBuffer.allocate(buffer.remaining());
    copy.put(buffer.duplicate());
    return copy.flip();
  }

  private static List<Integer> all(ByteBufferInputStream in) throws IOException {
    List<Integer> bytes = new ArrayList<>();
    while (in.available() > 0) {
      bytes.add(in.read());
    }
    return bytes;
  }

  private static byte[] page(Random random) {
    byte[] page = new byte[random.nextInt(60)];
    random.nextBytes(page);
    return page;
  }

  @Test
  void a_page_reads_as_through_parquets_own_stream() {
    Seeds.each(
        500,
        random -> {
          byte[] page = page(random);
          boolean slicesLast = random.nextBoolean();
          ByteBufferInputStream ours =
              new PageBytes(page, 0, page.length, slicesLast).toInputStream();
          ByteBufferInputStream theirs = ByteBufferInputStream.wrap(ByteBuffer.wrap(page));
          for (int i = 0; i < 20; i++) {
            int what = random.nextInt(11);
            int length = random.nextInt(12);
            Object read = step(ours, what, length);
            assertThat(read)
                .as("step %d of length %d", what, length)
                .isEqualTo(step(theirs, what, length));
            if (read.equals("end of page")) {
              return; // where an error leaves a stream does not matter
            }
            assertThat(ours.position())
                .as("step %d of length %d", what, length)
                .isEqualTo(theirs.position());
            assertThat(ours.available()).isEqualTo(theirs.available());
          }
          assertThat(all(ours.remainingStream())).isEqualTo(all(theirs.remainingStream()));
          assertThat(ours.available()).isZero();
        });
  }

  @Test
  void the_whole_page_comes_in_every_form() throws IOException {
    byte[] page = {1, 2, 3};
    PageBytes bytes = new PageBytes(page, 0, page.length, true);
    assertThat(bytes.size()).isEqualTo(3);
    assertThat(bytes.toByteArray()).containsExactly(1, 2, 3).isNotSameAs(page);
    assertThat(bytes.toByteBuffer()).isEqualTo(ByteBuffer.wrap(page));
  }

  @Test
  void a_slice_is_used_again_but_streams_and_buffers_last() throws IOException {
    ByteBufferInputStream in =
        new PageBytes(new byte[] {0, 1, 2, 3, 4, 5, 6, 7, 8}, 1, 7, true).toInputStream();
    ByteBuffer first = in.slice(2).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(in.slice(1)).isSameAs(first);
    assertThat(first).isEqualTo(ByteBuffer.wrap(new byte[] {3}));
    List<ByteBuffer> lasting = in.sliceBuffers(1);
    ByteBufferInputStream stream = in.sliceStream(1);
    ByteBufferInputStream rest = in.remainingStream();
    assertThat(lasting).containsExactly(ByteBuffer.wrap(new byte[] {4}));
    assertThat(stream.read()).isEqualTo(5);
    assertThat(rest.slice(1)).isNotSameAs(rest.slice(1));
  }

  @Test
  void of_plain_values_the_slices_of_what_remains_are_used_again_too() throws IOException {
    ByteBufferInputStream in =
        new PageBytes(new byte[] {1, 2, 3, 4, 5, 6}, 1, 4, false).toInputStream();
    in.slice(1);
    ByteBufferInputStream rest = in.remainingStream();
    assertThat(in.available()).isZero();
    ByteBuffer first = rest.slice(2);
    assertThat(first).isEqualTo(ByteBuffer.wrap(new byte[] {3, 4}));
    assertThat(rest.slice(1)).isSameAs(first).isEqualTo(ByteBuffer.wrap(new byte[] {5}));
    assertThat(rest.remainingStream().available()).isZero();
  }

  @Test
  void more_than_the_page_has_is_refused() {
    ByteBufferInputStream in = new PageBytes(new byte[4], 1, 3, true).toInputStream();
    assertThatThrownBy(() -> in.slice(4))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("4 bytes are wanted of a page that has 3 left");
    assertThatThrownBy(() -> in.slice(-1)).isInstanceOf(EOFException.class);
  }
}
