package io.flowgate.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.flowgate.client.internal.http.FrameReader.Frame;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames of a stream of events, however they are split. */
class FrameReaderTest {
  private static final String STREAM =
      "\uFEFFretry: 2000\n\nid: 1\nevent: a\ndata: {\"ü\":\"🚀\"}\n\n: ping\n\nevent:b\ndata:x\ndata: y\ndata\n\n"
          + "id: 3\n\nid: bad\u0001\nfield: no\ndata:  two blanks\n\nid\ndata: empty id\n\nid: 9\ndata: not wh";

  private static final List<Frame> FRAMES =
      List.of(
          new Frame("1", "a", "{\"ü\":\"🚀\"}"),
          new Frame("1", "b", "x\ny\n"),
          new Frame("3", "message", " two blanks"),
          new Frame("3", "message", "empty id"));

  private static List<Frame> framesOf(byte[] bytes, Random cuts) throws IOException {
    FrameReader reader = new FrameReader(null, 1_000);
    List<Frame> frames = new ArrayList<>();
    for (int at = 0; at < bytes.length; ) {
      int end = Math.min(bytes.length, at + 1 + cuts.nextInt(9));
      reader.read(Arrays.copyOfRange(bytes, at, end));
      for (Frame frame = reader.poll(); frame != null; frame = reader.poll()) frames.add(frame);
      at = end;
    }
    assertThat(reader.retryMs()).isEqualTo(2_000);
    return frames;
  }

  @ParameterizedTest(name = "with line ends {index}")
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void areTheSameHoweverTheyAreCut(String lineEnd) throws IOException {
    byte[] bytes = STREAM.replace("\n", lineEnd).getBytes(StandardCharsets.UTF_8);
    for (int seed = 0; seed < 300; seed++) assertThat(framesOf(bytes, new Random(seed))).isEqualTo(FRAMES);
  }

  @Test
  @DisplayName("go on from the place of the stream before")
  void position() throws IOException {
    FrameReader reader = new FrameReader("7", 100);
    reader.read("data: a\n\n".getBytes(StandardCharsets.UTF_8));
    assertThat(reader.poll()).isEqualTo(new Frame("7", "message", "a"));
    assertThat(reader.poll()).isNull();
  }

  @Test
  @DisplayName("are bounded each, and not together; signs of life do not count")
  void bounds() throws IOException {
    FrameReader reader = new FrameReader(null, 100);
    byte[] frame = ("data: " + "x".repeat(80) + "\n\n: ping\n").getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < 50; i++) reader.read(frame);
    for (int i = 0; i < 50; i++) reader.read(": ping\n".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> reader.read("data: x".repeat(20).getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(FrameTooLongException.class)
        .hasMessageContaining("raise maxResponseBytes");
  }
}
