package io.flowgate.client.internal.calls;

import io.flowgate.client.FlowgateInterruptedException;
import io.flowgate.client.internal.http.FrameReader.Frame;
import java.util.function.Function;

/**
 * Reads what a stream tells, one thing after another, on the thread that asks. It may be closed from any thread.
 *
 * @param <T> what is delivered
 */
public final class Watching<T> {
  private static final String END = "end";

  private final Reconnecting stream;
  private final Function<Frame, T> reader;
  private String position;

  /**
   * @param position behind which it begins; may be null
   * @param reader gives null for what is not told
   */
  Watching(Reconnecting stream, String position, Function<Frame, T> reader) {
    this.stream = stream;
    this.position = position;
    this.reader = reader;
  }

  /** Blocks until a stream has begun. */
  void begin() {
    try {
      stream.begin();
    } catch (InterruptedException interruption) {
      throw interrupted(interruption);
    } catch (RuntimeException | Error failed) {
      stream.close();
      throw failed;
    }
  }

  /** Blocks; null: it is over, or closed. */
  public T next() {
    try {
      for (Frame frame = stream.next(); frame != null; frame = stream.next()) {
        if (frame.type().equals(END)) break;
        T told = reader.apply(frame);
        position = frame.position();
        if (told != null) return told;
      }
      close();
      return null;
    } catch (InterruptedException interruption) {
      throw interrupted(interruption);
    } catch (RuntimeException | Error failed) {
      close();
      throw failed;
    }
  }

  /** Of what was told last; null: it has none. */
  public String position() {
    return position;
  }

  public void close() {
    stream.close();
  }

  private FlowgateInterruptedException interrupted(InterruptedException interruption) {
    close();
    Thread.currentThread().interrupt();
    return new FlowgateInterruptedException(interruption);
  }
}
