package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;

/**
 * How a key gets another secret. Immutable.
 *
 * @param overlap how long the old secret is still good, at most seven days; null: not at all
 * @param timeout the longest that the whole call may take, all its tries together; null: the client's
 */
public record RotateKeyOptions(Duration overlap, Duration timeout) {
  private static final RotateKeyOptions DEFAULTS = new RotateKeyOptions(null, null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public RotateKeyOptions {
    if (overlap != null && overlap.isNegative())
      throw new IllegalArgumentException("overlap must be a time that is not less than 0");
    Arguments.timeout(timeout);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static RotateKeyOptions defaults() {
    return DEFAULTS;
  }

  /**
   * With time for whoever still has the old one.
   *
   * @param given how long the old secret is still good, at most seven days; null: not at all
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public RotateKeyOptions overlap(Duration given) {
    return new RotateKeyOptions(given, timeout);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public RotateKeyOptions timeout(Duration given) {
    return new RotateKeyOptions(overlap, given);
  }
}
