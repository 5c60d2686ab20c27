package io.flowgate.client.live;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** For what the service does a little later: asks until it is so. */
final class Eventually {
  private static final Duration WITHIN = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private Eventually() {}

  static <T> T eventually(Supplier<T> ask, Predicate<T> isSo) throws InterruptedException {
    long deadline = System.nanoTime() + WITHIN.toNanos();
    for (; ; ) {
      T answer = ask.get();
      if (isSo.test(answer)) return answer;
      if (System.nanoTime() > deadline) throw new AssertionError("Not within " + WITHIN + ": " + answer);
      Thread.sleep(PAUSE.toMillis());
    }
  }
}
