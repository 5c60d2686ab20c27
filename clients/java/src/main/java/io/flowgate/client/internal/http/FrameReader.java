package io.flowgate.client.internal.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;

/** Makes frames of the bytes of one stream of events, however they are cut into pieces. Not for many threads at once. */
public final class FrameReader {
  /**
   * One frame.
   *
   * @param position the last id that the stream named, with this frame or before; null: it named none
   * @param type {@code message} where the frame names none
   * @param data its lines
   */
  public record Frame(String position, String type, String data) {}

  /** What can be sent back in a header. */
  private static final Pattern ID = Pattern.compile("[\\x20-\\x7E]{1,1024}");

  private static final Pattern MILLIS = Pattern.compile("[0-9]{1,9}");

  private final long maxBytes;
  private final Deque<Frame> frames = new ArrayDeque<>();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final StringBuilder data = new StringBuilder();
  private long frameBytes;
  private boolean isAfterReturn;
  private boolean isFirstLine = true;
  private String position;
  private String type = "";
  private String id;
  private boolean hasData;
  private long retryMs;

  /**
   * @param position the last id of the stream before, which this one goes on; may be null
   * @param maxBytes of one frame
   */
  public FrameReader(String position, long maxBytes) {
    this.position = position;
    this.id = position;
    this.maxBytes = maxBytes;
  }

  /** The next whole frame of what was read; null: there is none yet. */
  public Frame poll() {
    return frames.poll();
  }

  /** The last id that the stream named, also without telling anything with it; null: it named none. */
  public String position() {
    return position;
  }

  /** After how long a reader should come back, as the service says; 0: it does not. */
  public long retryMs() {
    return retryMs;
  }

  /** Throws where a frame is longer than the most. */
  public void read(byte[] piece) throws IOException {
    for (byte unit : piece) {
      if (unit == '\n' && isAfterReturn) {
        isAfterReturn = false;
        continue;
      }
      isAfterReturn = unit == '\r';
      if (unit == '\n' || unit == '\r') {
        endLine();
      } else {
        if (++frameBytes > maxBytes) throw new FrameTooLongException(maxBytes);
        line.write(unit);
      }
    }
  }

  private void endLine() {
    String text = line.toString(StandardCharsets.UTF_8);
    line.reset();
    if (isFirstLine && text.startsWith("\uFEFF")) text = text.substring(1);
    isFirstLine = false;
    if (text.isEmpty()) endFrame();
    else if (text.charAt(0) == ':') frameBytes -= Math.min(frameBytes, text.length());
    else field(text);
  }

  private void field(String text) {
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    String value = colon < 0 ? "" : text.substring(text.startsWith(" ", colon + 1) ? colon + 2 : colon + 1);
    switch (name) {
      case "event" -> type = value;
      case "data" -> {
        if (hasData) data.append('\n');
        data.append(value);
        hasData = true;
      }
      case "id" -> {
        if (ID.matcher(value).matches()) id = value;
      }
      case "retry" -> {
        if (MILLIS.matcher(value).matches()) retryMs = Long.parseLong(value);
      }
      default -> {
        // A field of a later service.
      }
    }
  }

  /** An id counts once its frame is whole: a reader who comes back must not miss the rest of it. */
  private void endFrame() {
    position = id;
    if (hasData) frames.add(new Frame(position, type.isEmpty() ? "message" : type, data.toString()));
    data.setLength(0);
    hasData = false;
    type = "";
    frameBytes = 0;
  }
}
