package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;

/**
 * Which page of a list is read. Immutable.
 *
 * @param after {@code next} of the page before; null: the first page
 * @param limit items on the page, 1 to 200; null: as many as the service gives
 * @param timeout the longest that the whole call may take, all its tries together; null: the client's
 */
public record PageOptions(String after, Integer limit, Duration timeout) {
  private static final PageOptions DEFAULTS = new PageOptions(null, null, null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public PageOptions {
    Arguments.cursor("cursor", after);
    Arguments.limit(limit);
    Arguments.timeout(timeout);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static PageOptions defaults() {
    return DEFAULTS;
  }

  /**
   * From the end of another page on.
   *
   * @param given {@code next} of the page before; null: the first page
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public PageOptions cursor(String given) {
    return new PageOptions(given, limit, timeout);
  }

  /**
   * The same as {@link #cursor(String)}, by its earlier name.
   *
   * @param given {@code next} of the page before; null: the first page
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public PageOptions after(String given) {
    return cursor(given);
  }

  /**
   * With so many items at most.
   *
   * @param given items on the page, 1 to 200; null: as many as the service gives
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public PageOptions limit(int given) {
    return new PageOptions(after, given, timeout);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public PageOptions timeout(Duration given) {
    return new PageOptions(after, limit, given);
  }
}
