package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;
import java.time.Instant;

/**
 * Which acts are listed. Immutable.
 *
 * @param owner what this account did; null: whoever
 * @param action what was done, such as {@code run.start}; null: whatever
 * @param runId what was done to this run, also after it was purged; null: to whichever
 * @param since done then or later; null: whenever
 * @param until done before; null: whenever
 * @param after {@code next} of the page before; null: the first page
 * @param limit acts on the page, 1 to 200; null: 50
 * @param timeout the longest that the whole call may take, all its tries together; null: the client's
 */
public record AuditQuery(
    String owner,
    String action,
    String runId,
    Instant since,
    Instant until,
    String after,
    Integer limit,
    Duration timeout) {
  private static final AuditQuery DEFAULTS = new AuditQuery(null, null, null, null, null, null, null, null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public AuditQuery {
    if (owner != null) Arguments.id("owner", owner);
    if (action != null) Arguments.id("action", action);
    if (runId != null) Arguments.id("runId", runId);
    Arguments.cursor("cursor", after);
    Arguments.limit(limit);
    Arguments.timeout(timeout);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static AuditQuery defaults() {
    return DEFAULTS;
  }

  /**
   * Of one account.
   *
   * @param given what this account did; null: whoever
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public AuditQuery owner(String given) {
    return new AuditQuery(given, action, runId, since, until, after, limit, timeout);
  }

  /**
   * Of one kind.
   *
   * @param given what was done, such as {@code run.start}; null: whatever
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public AuditQuery action(String given) {
    return new AuditQuery(owner, given, runId, since, until, after, limit, timeout);
  }

  /**
   * About one run.
   *
   * @param given what was done to this run, also after it was purged; null: to whichever
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public AuditQuery runId(String given) {
    return new AuditQuery(owner, action, given, since, until, after, limit, timeout);
  }

  /**
   * From then on.
   *
   * @param given done then or later; null: whenever
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public AuditQuery since(Instant given) {
    return new AuditQuery(owner, action, runId, given, until, after, limit, timeout);
  }

  /**
   * Until then.
   *
   * @param given done before; null: whenever
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public AuditQuery until(Instant given) {
    return new AuditQuery(owner, action, runId, since, given, after, limit, timeout);
  }

  /**
   * From the end of another page on.
   *
   * @param given {@code next} of the page before; null: the first page
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public AuditQuery cursor(String given) {
    return new AuditQuery(owner, action, runId, since, until, given, limit, timeout);
  }

  /**
   * The same as {@link #cursor(String)}, by its earlier name.
   *
   * @param given {@code next} of the page before; null: the first page
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public AuditQuery after(String given) {
    return cursor(given);
  }

  /**
   * With so many acts at most.
   *
   * @param given acts on the page, 1 to 200; null: 50
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public AuditQuery limit(int given) {
    return new AuditQuery(owner, action, runId, since, until, after, given, timeout);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public AuditQuery timeout(Duration given) {
    return new AuditQuery(owner, action, runId, since, until, after, limit, given);
  }
}
