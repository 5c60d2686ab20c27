package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;

/**
 * Which messages of a run are read. Immutable.
 *
 * @param after {@code next} of the page before; null: from the first message
 * @param limit messages on the page, at least 1; null: 1,000, which is the most
 * @param timeout the longest that the whole call may take, all its tries together; null: the client's
 */
public record MessagesOptions(String after, Integer limit, Duration timeout) {
  private static final MessagesOptions DEFAULTS = new MessagesOptions(null, null, null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public MessagesOptions {
    Arguments.cursor("cursor", after);
    Arguments.limit(limit);
    Arguments.timeout(timeout);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static MessagesOptions defaults() {
    return DEFAULTS;
  }

  /**
   * From the end of another page on.
   *
   * @param given {@code next} of the page before; null: from the first message
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public MessagesOptions cursor(String given) {
    return new MessagesOptions(given, limit, timeout);
  }

  /**
   * The same as {@link #cursor(String)}, by its earlier name.
   *
   * @param given {@code next} of the page before; null: from the first message
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public MessagesOptions after(String given) {
    return cursor(given);
  }

  /**
   * With so many messages at most.
   *
   * @param given messages on the page, at least 1; null: 1,000, which is the most
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public MessagesOptions limit(int given) {
    return new MessagesOptions(after, given, timeout);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public MessagesOptions timeout(Duration given) {
    return new MessagesOptions(after, limit, given);
  }
}
