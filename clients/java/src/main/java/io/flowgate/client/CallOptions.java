package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;

/**
 * What every call takes. Immutable.
 *
 * @param timeout the longest that the whole call may take, all its tries together; null: the client's
 */
public record CallOptions(Duration timeout) {
  private static final CallOptions DEFAULTS = new CallOptions(null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public CallOptions {
    Arguments.timeout(timeout);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static CallOptions defaults() {
    return DEFAULTS;
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public CallOptions timeout(Duration given) {
    return new CallOptions(given);
  }
}
