package io.flowgate.client.internal.calls;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Does things later.
 *
 * @param scheduler nothing runs on its threads: what is due is handed to the workers
 * @param workers as many threads as it takes
 */
record Waiting(ScheduledExecutorService scheduler, Workers workers) {
  /** What gives it up. */
  Runnable later(Duration delay, Runnable work) {
    try {
      ScheduledFuture<?> due =
          scheduler.schedule(() -> workers.execute(work), delay.toNanos(), TimeUnit.NANOSECONDS);
      return () -> due.cancel(false);
    } catch (RejectedExecutionException ended) {
      throw new IllegalStateException("The scheduler was shut down: close the client before it", ended);
    }
  }
}
