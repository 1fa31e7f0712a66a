package io.obelus.core.file.position;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.obelus.core.io.CorruptFileException;
import io.obelus.core.io.Place;
import io.obelus.testing.Seeds;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;

class RoaringFormatTest {

  private static final Place PLACE = new Place("index-7", 100);
  private static final String FIVE = "3a300000 01000000 0000 0000 10000000 0500";

  @Test
  void one_number_takes_eighteen_bytes() {
    assertThat(RoaringFormat.write(RoaringBitmap.bitmapOf(5))).isEqualTo(bytes(FIVE));
    assertThat(read(bytes(FIVE))).isEqualTo(RoaringBitmap.bitmapOf(5));
  }

  @Test
  void no_number_takes_eight_bytes() {
    assertThat(RoaringFormat.write(new RoaringBitmap())).isEqualTo(bytes("3a300000 00000000"));
    assertThat(read(bytes("3a300000 00000000"))).isEqualTo(new RoaringBitmap());
  }

  @Test
  void a_bitmap_is_read_from_the_middle_of_a_buffer() {
    ByteBuffer buffer = ByteBuffer.wrap(bytes("ffff" + FIVE + "eeee")).position(2);
    assertThat(RoaringFormat.read(buffer, PLACE, "bitmap")).isEqualTo(RoaringBitmap.bitmapOf(5));
    assertThat(buffer.position()).isEqualTo(20);
  }

  @Test
  void what_was_written_is_read_again() {
    Seeds.each(
        random -> {
          RoaringBitmap bitmap = someBitmap(random);
          assertThat(read(RoaringFormat.write(bitmap))).isEqualTo(bitmap);
        });
  }

  @Test
  void a_bitmap_that_was_not_shortened_is_read_too() {
    Seeds.each(
        random -> {
          RoaringBitmap bitmap = someBitmap(random);
          bitmap.removeRunCompression();
          ByteBuffer image = ByteBuffer.allocate(bitmap.serializedSizeInBytes());
          bitmap.serialize(image);
          assertThat(read(image.array())).isEqualTo(bitmap);
        });
  }

  @Test
  void writing_leaves_the_bitmap_as_it_is() {
    RoaringBitmap bitmap = new RoaringBitmap();
    for (int i = 0; i < 5000; i++) {
      bitmap.add(i);
    }
    int size = bitmap.serializedSizeInBytes();
    assertThat(RoaringFormat.write(bitmap)).hasSizeLessThan(size);
    assertThat(bitmap.serializedSizeInBytes()).isEqualTo(size);
  }

  @Test
  void each_part_is_refused_by_name_and_byte() {
    refused("3b31", 100, "cookie of 4 bytes should follow, but 2 bytes are left");
    refused("3c300000 01000000", 100, "cookie should be 12346 or 12347 but is 12348");
    refused("3a300000 ffffffff", 104, "container count should be at most 65536 but is -1");
    refused("3a300000 01000100", 104, "container count should be at most 65536 but is 65537");
    refused("3a300000 00000100", 108, "container heads of 262144 bytes should follow, but 0 bytes");
    refused("3b300000 01 0000 0900", 109, "run count of 2 bytes should follow, but 0 bytes");
    refused("3b300000 01 0000 0900 ffff", 111, "runs of 262140 bytes should follow, but 0 bytes");
    refused(
        "3b300000 01 0000 0900 0200 0000 0400 0400 0400",
        115,
        "start of the run should be at least 5 but is 4");
    refused(
        "3b300000 01 0000 0100 0100 ffff 0100",
        111,
        "end of the run should be at most 65535 but is 65536");
    refused(
        "3b300000 01 0000 0800 0100 0a00 0900",
        109,
        "cardinality of the container should be 9 but is 10");
    refused(
        "3a300000 01000000 0000 0000 11000000 0500",
        112,
        "container offset should be 16 but is 17");
    refused(
        "3a300000 01000000 0000 0100 10000000 0500 0500", 118, "value should be above 5 but is 5");
    refused(
        "3a300000 02000000 0100 0000 0100 0000 18000000 1a000000 0500 0500",
        112,
        "container key should be above 1 but is 1");
    refused(
        "3a300000 01000000 0000 0010 10000000" + "00".repeat(8192),
        116,
        "cardinality of the container should be 4097 but is 0");
  }

  @Test
  void damaged_bytes_are_refused_or_another_sound_bitmap() {
    Seeds.each(
        random -> {
          byte[] image = RoaringFormat.write(someBitmap(random));
          for (int i = 0; i < 200; i++) {
            byte[] damaged = Arrays.copyOf(image, image.length - random.nextInt(3));
            damaged[random.nextInt(Math.min(40, damaged.length))] = (byte) random.nextInt();
            try {
              RoaringBitmap bitmap = read(damaged);
              assertThat(bitmap.stream().count()).isEqualTo(bitmap.getLongCardinality());
              assertThat(bitmap.stream().allMatch(bitmap::contains)).isTrue();
            } catch (CorruptFileException e) {
              assertThat(e).hasMessageMatching("(?s)index-7 at byte \\d+: bitmap: .*");
            }
          }
        });
  }

  private static void refused(String hex, int offset, String problem) {
    assertThatThrownBy(() -> read(bytes(hex)))
        .isInstanceOf(CorruptFileException.class)
        .hasMessageStartingWith("index-7 at byte " + offset + ": bitmap: " + problem);
  }

  private static RoaringBitmap read(byte[] image) {
    return RoaringFormat.read(ByteBuffer.wrap(image), PLACE, "bitmap");
  }

  private static RoaringBitmap someBitmap(Random random) {
    RoaringBitmap bitmap = new RoaringBitmap();
    for (int i = random.nextInt(8); i > 0; i--) {
      int start = random.nextInt(10) << 16;
      switch (random.nextInt(4)) {
        case 0 -> bitmap.add(start, start + random.nextInt(100_000) + 1L);
        case 1 -> bitmap.add(start + 65_535);
        case 2 -> random.ints(5000, 0, 65_536).forEach(low -> bitmap.add(start + low));
        default -> random.ints(50, 0, 65_536).forEach(low -> bitmap.add(start + low));
      }
    }
    return bitmap;
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }
}
