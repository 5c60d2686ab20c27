package io.flowgate.client.stub;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A clock that a test moves, and a scheduler that does not wait: a pause is over at once, and the clock is then later by it.
 * What is to happen only after {@code longest} (the end of a call's time) never comes.
 */
public final class ManualTime implements InstantSource, AutoCloseable {
  private final List<Duration> pauses = new CopyOnWriteArrayList<>();
  private final Duration longest;
  private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

  /** Its own thread pool ends with the test. */
  private final class Scheduler extends ScheduledThreadPoolExecutor {
    Scheduler() {
      super(1);
      setRemoveOnCancelPolicy(true);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
      Duration pause = Duration.ofNanos(unit.toNanos(delay));
      if (pause.compareTo(longest) >= 0) return super.schedule(work, delay, unit);
      pauses.add(pause);
      pass(pause);
      return super.schedule(work, 0, unit);
    }
  }

  private final Scheduler scheduler = new Scheduler();

  /** @param longest what is due later than this stays due */
  public ManualTime(Duration longest) {
    this.longest = longest;
  }

  public ScheduledThreadPoolExecutor scheduler() {
    return scheduler;
  }

  public void pass(Duration time) {
    now = now.plus(time);
  }

  /** The pauses between tries, in order. */
  public List<Duration> pauses() {
    return pauses;
  }

  public Duration longestPause() {
    return pauses.stream().max(Comparator.naturalOrder()).orElse(Duration.ZERO);
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public void close() {
    scheduler.shutdownNow();
  }
}
