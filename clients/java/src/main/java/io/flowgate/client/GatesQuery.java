package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;

/**
 * Which gates are listed. Immutable.
 *
 * @param decided whether those that were decided are listed, in place of those that wait
 * @param workflowId of which workflow; null: of any
 * @param after {@code next} of the page before; null: the first page
 * @param limit gates on the page, 1 to 200; null: 50
 * @param timeout the longest that the whole call may take, all its tries together; null: the client's
 */
public record GatesQuery(boolean decided, String workflowId, String after, Integer limit, Duration timeout) {
  private static final GatesQuery DEFAULTS = new GatesQuery(false, null, null, null, null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public GatesQuery {
    if (workflowId != null) Arguments.id("workflowId", workflowId);
    Arguments.cursor("cursor", after);
    Arguments.limit(limit);
    Arguments.timeout(timeout);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static GatesQuery defaults() {
    return DEFAULTS;
  }

  /**
   * Those that were decided, or those that wait.
   *
   * @param given whether those that were decided are listed, in place of those that wait
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public GatesQuery decided(boolean given) {
    return new GatesQuery(given, workflowId, after, limit, timeout);
  }

  /**
   * Of one workflow.
   *
   * @param given of which workflow; null: of any
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public GatesQuery workflowId(String given) {
    return new GatesQuery(decided, given, after, limit, timeout);
  }

  /**
   * From the end of another page on.
   *
   * @param given {@code next} of the page before; null: the first page
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public GatesQuery cursor(String given) {
    return new GatesQuery(decided, workflowId, given, limit, timeout);
  }

  /**
   * The same as {@link #cursor(String)}, by its earlier name.
   *
   * @param given {@code next} of the page before; null: the first page
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public GatesQuery after(String given) {
    return cursor(given);
  }

  /**
   * With so many gates at most.
   *
   * @param given gates on the page, 1 to 200; null: 50
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public GatesQuery limit(int given) {
    return new GatesQuery(decided, workflowId, after, given, timeout);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public GatesQuery timeout(Duration given) {
    return new GatesQuery(decided, workflowId, after, limit, given);
  }
}
