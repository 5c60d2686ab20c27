package io.flowgate.client.internal.calls;

import io.flowgate.client.FlowgateException;
import io.flowgate.client.FlowgateInterruptedException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/**
 * Makes calls, and hands out how they end: to a thread that waits, or as a future. Each is bounded by its time, and all end
 * when the client is closed.
 */
public final class Calls {
  private static final Duration NO_BOUND = Duration.ofDays(36_500);

  private final Waiting waiting;
  private final Set<Flight> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean isClosed;

  Calls(Waiting waiting) {
    this.waiting = waiting;
  }

  Waiting waiting() {
    return waiting;
  }

  /** Blocks. */
  public <T> T await(Operation<T> operation) {
    return operation.read(awaitText(operation));
  }

  /** Blocks. */
  public String awaitText(Operation<?> operation) {
    Flight flight = begin(operation);
    try {
      return flight.end().get();
    } catch (InterruptedException interruption) {
      flight.cancel();
      Thread.currentThread().interrupt();
      throw new FlowgateInterruptedException(interruption);
    } catch (ExecutionException failed) {
      throw asOfThisThread(failed.getCause());
    }
  }

  /** At once. What is attached to the future runs on a worker. */
  public <T> CompletableFuture<T> handOut(Operation<T> operation) {
    CompletableFuture<T> handedOut = new CompletableFuture<>();
    Flight flight = register(operation);
    flight.end().whenComplete((text, error) -> waiting.workers().execute(() -> end(handedOut, operation, text, error)));
    handedOut.whenComplete((result, error) -> flight.cancel());
    waiting.workers().execute(() -> begin(operation, flight));
    return handedOut;
  }

  /** For what is part of a larger call. */
  Flight begin(Operation<?> operation) {
    Flight flight = register(operation);
    begin(operation, flight);
    return flight;
  }

  /** For what has no end of its own in time: a flight that ends with the client, at the latest. */
  Flight register() {
    Flight flight = new Flight();
    underWay.add(flight);
    if (isClosed) {
      underWay.remove(flight);
      throw new IllegalStateException("The client is closed: make another one");
    }
    flight.end().whenComplete((text, error) -> underWay.remove(flight));
    return flight;
  }

  void close() {
    isClosed = true;
    for (Flight flight : underWay) {
      flight.fail(new IllegalStateException("The client was closed during the call; what the service began goes on"));
    }
  }

  private Flight register(Operation<?> operation) {
    Flight flight = register();
    try {
      Runnable noTimeout = boundByTime(operation, flight);
      flight.end().whenComplete((text, error) -> noTimeout.run());
    } catch (RuntimeException ended) {
      underWay.remove(flight);
      throw ended;
    }
    return flight;
  }

  private Runnable boundByTime(Operation<?> operation, Flight flight) {
    if (operation.timeout().compareTo(NO_BOUND) > 0) return () -> {};
    return waiting.later(operation.timeout(), () -> {
      try {
        if (!flight.isOver()) flight.fail(operation.onTimeout());
      } catch (RuntimeException unforeseen) {
        flight.fail(unforeseen);
      }
    });
  }

  private static void begin(Operation<?> operation, Flight flight) {
    try {
      if (!flight.isOver()) operation.begin(flight);
    } catch (RuntimeException | Error refused) {
      flight.fail(refused);
    }
  }

  private static <T> void end(CompletableFuture<T> handedOut, Operation<T> operation, String text, Throwable error) {
    if (error != null) {
      handedOut.completeExceptionally(error);
      return;
    }
    T result;
    try {
      result = operation.read(text);
    } catch (RuntimeException | Error unreadable) {
      handedOut.completeExceptionally(unreadable);
      return;
    }
    handedOut.complete(result);
  }

  /** It was made for this call alone, on a worker: what helps is from where the call came. */
  static RuntimeException asOfThisThread(Throwable failed) {
    failed.fillInStackTrace();
    if (failed instanceof Error fault) throw fault;
    return failed instanceof RuntimeException exception
        ? exception
        : new FlowgateException("The call failed: " + failed.getMessage(), failed);
  }
}
