package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;

/**
 * How a run is cancelled or paused. Immutable.
 *
 * @param by who asks for it, 1 to 256 characters; null: the service's {@code user}
 * @param idempotencyKey the same key with the same request is carried out once; null: one that the client makes for the call
 * @param timeout the longest that the whole call may take, all its tries together; null: the client's
 */
public record StopOptions(String by, String idempotencyKey, Duration timeout) {
  private static final StopOptions DEFAULTS = new StopOptions(null, null, null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public StopOptions {
    Arguments.name("by", by);
    Arguments.key(idempotencyKey);
    Arguments.timeout(timeout);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static StopOptions defaults() {
    return DEFAULTS;
  }

  /**
   * In somebody's name.
   *
   * @param given who asks for it, 1 to 256 characters; null: the service's {@code user}
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public StopOptions by(String given) {
    return new StopOptions(given, idempotencyKey, timeout);
  }

  /**
   * Under a key of yours.
   *
   * @param given the same key with the same request is carried out once; null: one that the client makes for the call
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public StopOptions idempotencyKey(String given) {
    return new StopOptions(by, given, timeout);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public StopOptions timeout(Duration given) {
    return new StopOptions(by, idempotencyKey, given);
  }
}
