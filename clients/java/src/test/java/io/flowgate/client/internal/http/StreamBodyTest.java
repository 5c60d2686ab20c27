package io.flowgate.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is taken from a connection, and when it is released. */
class StreamBodyTest {
  private final StreamBody body = new StreamBody();
  private long requested;
  private boolean isCancelled;

  @BeforeEach
  void subscribe() {
    body.onSubscribe(
        new Flow.Subscription() {
          @Override
          public void request(long count) {
            requested += count;
          }

          @Override
          public void cancel() {
            isCancelled = true;
          }
        });
  }

  private void arrives(String... buffers) {
    body.onNext(List.of(buffers).stream().map(text -> ByteBuffer.wrap(text.getBytes())).toList());
  }

  @Test
  @DisplayName("no more is asked for than one piece beyond what was read")
  void backPressure() throws Exception {
    assertThat(body.getBody().toCompletableFuture()).isCompletedWithValue(body);
    assertThat(requested).isEqualTo(1);
    arrives("a", "b");
    assertThat(requested).isEqualTo(1);
    assertThat(body.isThereMore()).isTrue();
    assertThat(body.take()).asString().isEqualTo("ab");
    assertThat(requested).isEqualTo(2);
    assertThat(body.isThereMore()).isFalse();
  }

  @Test
  @DisplayName("an end comes after what came before it, and stays")
  void end() throws Exception {
    arrives("a");
    body.onComplete();
    assertThat(body.take()).asString().isEqualTo("a");
    assertThat(body.take()).isNull();
    assertThat(body.take()).isNull();
  }

  @Test
  @DisplayName("a break is told with its cause, and a close is an end; both let the connection go")
  void breaks() throws Exception {
    body.breakOff(new IOException("silence"));
    assertThat(isCancelled).isTrue();
    assertThatThrownBy(body::take).isInstanceOf(IOException.class).hasMessage("silence");
    StreamBody closed = new StreamBody();
    closed.close();
    assertThat(closed.take()).isNull();
  }
}
