package io.flowgate.client.internal.calls;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * One call under way. It ends once, with a text or an error; what is going on for it at that moment is given up.
 */
final class Flight {
  private static final Runnable NOTHING = () -> {};

  /** Not handed out: what is attached to it runs on whichever thread ends the call, and must not wait. */
  private final CompletableFuture<String> end = new CompletableFuture<>();

  private Runnable giveUp = NOTHING;

  CompletableFuture<String> end() {
    return end;
  }

  boolean isOver() {
    return end.isDone();
  }

  void succeed(String text) {
    end.complete(text);
    goesOnWith(NOTHING);
  }

  void fail(Throwable error) {
    if (end.completeExceptionally(error)) goesOnWith(NOTHING);
  }

  void cancel() {
    if (!isOver()) fail(new CancellationException("The call was cancelled; what the service began goes on"));
  }

  /** What is going on now, by what gives it up; where the call is over that happens at once. */
  void goesOnWith(Runnable howToGiveUp) {
    Runnable before;
    synchronized (this) {
      before = giveUp;
      giveUp = howToGiveUp;
    }
    if (isOver()) {
      before.run();
      howToGiveUp.run();
    }
  }
}
