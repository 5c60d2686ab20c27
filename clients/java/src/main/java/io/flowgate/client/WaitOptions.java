package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;

/**
 * How a run is waited for. Immutable.
 *
 * @param timeout the longest that the whole call may take, all its tries together; null: as long as it takes
 */
public record WaitOptions(Duration timeout) {
  private static final WaitOptions DEFAULTS = new WaitOptions(null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public WaitOptions {
    Arguments.timeout(timeout);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static WaitOptions defaults() {
    return DEFAULTS;
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: as long as it takes
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public WaitOptions timeout(Duration given) {
    return new WaitOptions(given);
  }
}
