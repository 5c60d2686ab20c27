package io.flowgate.client.internal.http;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The body of an answer that goes on for as long as something happens. It is handed over piece by piece, and no more is taken
 * from the connection than the piece after the one that was handed over last.
 */
public final class StreamBody implements BodySubscriber<StreamBody> {
  /** What came: a piece, or how the body ended, which stays. */
  private sealed interface Arrival {
    record Piece(byte[] bytes) implements Arrival {}

    record End() implements Arrival {}

    record Broken(Throwable cause) implements Arrival {}
  }

  private final CompletableFuture<StreamBody> begun = new CompletableFuture<>();
  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
  private Flow.Subscription subscription;
  private boolean isClosed;

  /** Blocks; null at the end. */
  public byte[] take() throws IOException, InterruptedException {
    return taken(arrivals.take());
  }

  /** Whether {@link #take} answers at once. */
  public boolean isThereMore() {
    return !arrivals.isEmpty();
  }

  /** Lets the connection go; who waits is told why. */
  public void breakOff(IOException cause) {
    letGo(new Arrival.Broken(cause));
  }

  /** Lets the connection go; who waits finds the end. */
  public void close() {
    letGo(new Arrival.End());
  }

  @Override
  public CompletionStage<StreamBody> getBody() {
    return begun;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    boolean isTooLate;
    synchronized (this) {
      subscription = given;
      isTooLate = isClosed;
    }
    if (isTooLate) given.cancel();
    else given.request(1);
    begun.complete(this);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    int length = 0;
    for (ByteBuffer buffer : buffers) length += buffer.remaining();
    ByteBuffer piece = ByteBuffer.allocate(length);
    for (ByteBuffer buffer : buffers) piece.put(buffer);
    arrivals.add(new Arrival.Piece(piece.array()));
  }

  @Override
  public void onError(Throwable cause) {
    arrivals.add(new Arrival.Broken(cause));
    begun.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    arrivals.add(new Arrival.End());
  }

  private byte[] taken(Arrival arrival) throws IOException {
    if (arrival instanceof Arrival.Piece piece) {
      subscription.request(1);
      return piece.bytes();
    }
    arrivals.add(arrival);
    if (!(arrival instanceof Arrival.Broken broken)) return null;
    throw broken.cause() instanceof IOException cause ? cause : new IOException(broken.cause());
  }

  private void letGo(Arrival because) {
    Flow.Subscription given;
    synchronized (this) {
      isClosed = true;
      given = subscription;
    }
    if (given != null) given.cancel();
    arrivals.add(because);
  }
}
