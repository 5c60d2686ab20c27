package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;

/**
 * Which API keys are listed. Immutable.
 *
 * @param owner whose; null: yours, or with {@code key:manage} those of all
 * @param after {@code next} of the page before; null: the first page
 * @param limit keys on the page, 1 to 200; null: 50
 * @param timeout the longest that the whole call may take, all its tries together; null: the client's
 */
public record KeysQuery(String owner, String after, Integer limit, Duration timeout) {
  private static final KeysQuery DEFAULTS = new KeysQuery(null, null, null, null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public KeysQuery {
    if (owner != null) Arguments.id("owner", owner);
    Arguments.cursor("cursor", after);
    Arguments.limit(limit);
    Arguments.timeout(timeout);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static KeysQuery defaults() {
    return DEFAULTS;
  }

  /**
   * Of one owner.
   *
   * @param given whose; null: yours, or with {@code key:manage} those of all
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public KeysQuery owner(String given) {
    return new KeysQuery(given, after, limit, timeout);
  }

  /**
   * From the end of another page on.
   *
   * @param given {@code next} of the page before; null: the first page
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public KeysQuery cursor(String given) {
    return new KeysQuery(owner, given, limit, timeout);
  }

  /**
   * The same as {@link #cursor(String)}, by its earlier name.
   *
   * @param given {@code next} of the page before; null: the first page
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public KeysQuery after(String given) {
    return cursor(given);
  }

  /**
   * With so many keys at most.
   *
   * @param given keys on the page, 1 to 200; null: 50
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public KeysQuery limit(int given) {
    return new KeysQuery(owner, after, given, timeout);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public KeysQuery timeout(Duration given) {
    return new KeysQuery(owner, after, limit, given);
  }
}
