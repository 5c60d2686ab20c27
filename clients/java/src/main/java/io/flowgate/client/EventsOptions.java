package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;
import java.util.Objects;

/**
 * Which of the things that a run did are read. Immutable.
 *
 * @param afterSeq {@code next} of the page before, or {@code seq} of an event; null: from the start
 * @param tail so many of the last, 1 to 1,000, in place of {@code afterSeq}; null: not the last
 * @param limit events on the page, 1 to 1,000; null: 100
 * @param view how they are shown
 * @param timeout the longest that the whole call may take, all its tries together; null: the client's
 */
public record EventsOptions(Long afterSeq, Integer tail, Integer limit, EventView view, Duration timeout) {
  private static final EventsOptions DEFAULTS = new EventsOptions(null, null, null, EventView.PUBLIC, null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public EventsOptions {
    Arguments.seq("afterSeq", afterSeq);
    Arguments.limit(limit);
    Arguments.tail(tail, afterSeq);
    Objects.requireNonNull(view, "view must be EventView.PUBLIC or EventView.LOG");
    Arguments.timeout(timeout);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static EventsOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Those after a position of the log.
   *
   * @param given {@code next} of the page before, or {@code seq} of an event; null: from the start
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public EventsOptions afterSeq(long given) {
    return new EventsOptions(given, tail, limit, view, timeout);
  }

  /**
   * Those at the end.
   *
   * @param given so many of the last, 1 to 1,000, in place of {@code afterSeq}; null: not the last
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public EventsOptions tail(int given) {
    return new EventsOptions(afterSeq, given, limit, view, timeout);
  }

  /**
   * With so many events at most.
   *
   * @param given events on the page, 1 to 1,000; null: 100
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public EventsOptions limit(int given) {
    return new EventsOptions(afterSeq, tail, given, view, timeout);
  }

  /**
   * Shown in that way.
   *
   * @param given how they are shown
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public EventsOptions view(EventView given) {
    return new EventsOptions(afterSeq, tail, limit, given, timeout);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public EventsOptions timeout(Duration given) {
    return new EventsOptions(afterSeq, tail, limit, view, given);
  }
}
