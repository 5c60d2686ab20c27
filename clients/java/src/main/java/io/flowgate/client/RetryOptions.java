package io.flowgate.client;

import java.time.Duration;
import java.util.Objects;

/**
 * How calls are tried again: after failures of the connection, and answers of 429, 502, 503 and 504. Never after a 500.
 * Immutable.
 *
 * @param count how often beyond the first try; 0: never
 * @param base the first pause; it doubles each time, and up to half of it is left to chance
 * @param max the longest pause
 * @param maxRetryAfter a {@code Retry-After} within it is waited for, one beyond it ends the tries
 * @param renewAfter a try that was disconnected after so long was a wait, not a failure: the count begins anew
 */
public record RetryOptions(int count, Duration base, Duration max, Duration maxRetryAfter, Duration renewAfter) {
  private static final RetryOptions DEFAULTS =
      new RetryOptions(3, Duration.ofMillis(250), Duration.ofSeconds(5), Duration.ofSeconds(30), Duration.ofSeconds(10));

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value is less than 0
   */
  public RetryOptions {
    if (count < 0) throw new IllegalArgumentException("retries: count must be a number of at least 0");
    check("base", base);
    check("max", max);
    check("maxRetryAfter", maxRetryAfter);
    check("renewAfter", renewAfter);
  }

  /**
   * Three tries beyond the first; pauses from 250 ms to 5 s; a {@code Retry-After} of up to 30 s; a wait is what took 10 s.
   *
   * @return always the same
   */
  public static RetryOptions defaults() {
    return DEFAULTS;
  }

  /**
   * With another count.
   *
   * @param given how often beyond the first try; 0: never
   * @return new options
   * @throws IllegalArgumentException it is less than 0
   */
  public RetryOptions count(int given) {
    return new RetryOptions(given, base, max, maxRetryAfter, renewAfter);
  }

  /**
   * With another first pause.
   *
   * @param given the first pause
   * @return new options
   * @throws IllegalArgumentException it is less than 0
   */
  public RetryOptions base(Duration given) {
    return new RetryOptions(count, given, max, maxRetryAfter, renewAfter);
  }

  /**
   * With another longest pause.
   *
   * @param given the longest pause
   * @return new options
   * @throws IllegalArgumentException it is less than 0
   */
  public RetryOptions max(Duration given) {
    return new RetryOptions(count, base, given, maxRetryAfter, renewAfter);
  }

  /**
   * With another bound for {@code Retry-After}.
   *
   * @param given what is waited for
   * @return new options
   * @throws IllegalArgumentException it is less than 0
   */
  public RetryOptions maxRetryAfter(Duration given) {
    return new RetryOptions(count, base, max, given, renewAfter);
  }

  /**
   * With another notion of a wait.
   *
   * @param given a try that was disconnected after so long was none that failed
   * @return new options
   * @throws IllegalArgumentException it is less than 0
   */
  public RetryOptions renewAfter(Duration given) {
    return new RetryOptions(count, base, max, maxRetryAfter, given);
  }

  private static void check(String name, Duration given) {
    Objects.requireNonNull(given, () -> "retries: " + name + " must be a time of at least 0");
    if (given.isNegative()) throw new IllegalArgumentException("retries: " + name + " must be a time of at least 0");
  }
}
