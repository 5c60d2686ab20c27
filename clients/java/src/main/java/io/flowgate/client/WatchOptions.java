package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;
import java.util.Objects;

/**
 * How something is watched. Immutable.
 *
 * @param after {@link Watch#position()} of a watch before, of a run also {@code seq} of an event; null: a run from its start, all runs from now on; lists take none
 * @param view how they are shown
 * @param silence how long nothing may come, not even the sign of life that the service gives every 15 s, before the connection is made anew
 * @param patience how long a service that is not there is asked again, once a watch has begun, before that ends with what it found
 */
public record WatchOptions(String after, EventView view, Duration silence, Duration patience) {
  private static final WatchOptions DEFAULTS = new WatchOptions(null, EventView.PUBLIC, Duration.ofMinutes(1), Duration.ofMinutes(5));

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public WatchOptions {
    Arguments.cursor("after", after);
    Objects.requireNonNull(view, "view must be EventView.PUBLIC or EventView.LOG");
    Objects.requireNonNull(silence, "silence must be a time");
    Arguments.positive("silence", silence);
    Objects.requireNonNull(patience, "patience must be a time");
    Arguments.positive("patience", patience);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static WatchOptions defaults() {
    return DEFAULTS;
  }

  /**
   * After what was seen before.
   *
   * @param given {@link Watch#position()} of a watch before, of a run also {@code seq} of an event; null: a run from its start, all runs from now on; lists take none
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public WatchOptions after(String given) {
    return new WatchOptions(given, view, silence, patience);
  }

  /**
   * Shown in that way.
   *
   * @param given how they are shown
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public WatchOptions view(EventView given) {
    return new WatchOptions(after, given, silence, patience);
  }

  /**
   * With a time for silence.
   *
   * @param given how long nothing may come, not even the sign of life that the service gives every 15 s, before the connection is made anew
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public WatchOptions silence(Duration given) {
    return new WatchOptions(after, view, given, patience);
  }

  /**
   * With a time for a service that is not there.
   *
   * @param given how long a service that is not there is asked again, once a watch has begun, before that ends with what it found
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public WatchOptions patience(Duration given) {
    return new WatchOptions(after, view, silence, given);
  }
}
