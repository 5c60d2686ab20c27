package io.flowgate.client.internal.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Gathers the body of one answer, up to a bound. Beyond it, and where it leads elsewhere, the connection is let go. */
final class AnswerBody implements BodySubscriber<AnswerBody.Read> {
  /**
   * What was read.
   *
   * @param text of UTF-8; "" where nothing was read
   * @param isTooLong it went on beyond what is read
   */
  record Read(String text, boolean isTooLong) {}

  private static final Read NOTHING = new Read("", false);
  private static final Read TOO_LONG = new Read("", true);
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final CompletableFuture<Read> read = new CompletableFuture<>();
  private final Read instead;
  private final long maxBytes;
  private ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private Flow.Subscription subscription;

  /** @param instead what comes in place of a body that is not read; null: it is read */
  private AnswerBody(Read instead, long maxBytes) {
    this.instead = instead;
    this.maxBytes = maxBytes;
  }

  static BodyHandler<Read> upTo(long maxBytes) {
    return answer -> {
      if (isRedirect(answer.statusCode())) return new AnswerBody(NOTHING, 0);
      boolean isTooLong = answer.headers().firstValue("content-length").map(AnswerBody::length).orElse(0L) > maxBytes;
      return new AnswerBody(isTooLong ? TOO_LONG : null, maxBytes);
    };
  }

  static boolean isRedirect(int status) {
    return status >= 300 && status < 400;
  }

  @Override
  public CompletionStage<Read> getBody() {
    return read;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    if (instead == null) given.request(Long.MAX_VALUE);
    else endWith(instead);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    if (read.isDone()) return;
    for (ByteBuffer buffer : buffers) {
      if (bytes.size() + (long) buffer.remaining() > maxBytes) {
        endWith(TOO_LONG);
        return;
      }
      byte[] copy = new byte[buffer.remaining()];
      buffer.get(copy);
      bytes.write(copy, 0, copy.length);
    }
  }

  @Override
  public void onError(Throwable cause) {
    bytes = null;
    read.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    if (read.isDone()) return;
    String text = bytes.toString(StandardCharsets.UTF_8);
    bytes = null;
    read.complete(new Read(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text, false));
  }

  private void endWith(Read end) {
    bytes = null;
    subscription.cancel();
    read.complete(end);
  }

  private static long length(String header) {
    try {
      return Long.parseLong(header.strip());
    } catch (NumberFormatException none) {
      return 0;
    }
  }
}
