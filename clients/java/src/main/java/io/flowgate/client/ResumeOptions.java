package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;

/**
 * How a run is resumed. Immutable.
 *
 * @param snapshotId the checkpoint to go back to; null: the latest
 * @param budget what the run may use from now on; null: as before
 * @param idempotencyKey the same key with the same request is carried out once; null: one that the client makes for the call
 * @param timeout the longest that the whole call may take, all its tries together; null: the client's
 * @param syncUntil when it is answered: {@code gate}, at an open gate too, then with a run that may be running; {@code recorded},
 *     once it is stored; null or {@code stop}: once the run stops, or after half a minute
 */
public record ResumeOptions(
    String snapshotId, RunBudget budget, String idempotencyKey, Duration timeout, String syncUntil) {
  private static final ResumeOptions DEFAULTS = new ResumeOptions(null, null, null, null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public ResumeOptions {
    Arguments.key(idempotencyKey);
    Arguments.timeout(timeout);
    Arguments.answeredOnce(syncUntil);
  }

  /** Options that say nothing of when it is answered. */
  public ResumeOptions(
      String snapshotId, RunBudget budget, String idempotencyKey, Duration timeout) {
    this(snapshotId, budget, idempotencyKey, timeout, null);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static ResumeOptions defaults() {
    return DEFAULTS;
  }

  /**
   * From a checkpoint.
   *
   * @param given the checkpoint to go back to; null: the latest
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ResumeOptions snapshotId(String given) {
    return new ResumeOptions(given, budget, idempotencyKey, timeout, syncUntil);
  }

  /**
   * With another budget.
   *
   * @param given what the run may use from now on; null: as before
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ResumeOptions budget(RunBudget given) {
    return new ResumeOptions(snapshotId, given, idempotencyKey, timeout, syncUntil);
  }

  /**
   * Under a key of yours.
   *
   * @param given the same key with the same request is carried out once; null: one that the client makes for the call
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ResumeOptions idempotencyKey(String given) {
    return new ResumeOptions(snapshotId, budget, given, timeout, syncUntil);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ResumeOptions timeout(Duration given) {
    return new ResumeOptions(snapshotId, budget, idempotencyKey, given, syncUntil);
  }

  /**
   * With an answer before the run stops.
   *
   * @param given when it is answered: {@code gate}, at an open gate too; {@code recorded}, once it is stored; null or {@code
   *     stop}: once the run stops
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ResumeOptions syncUntil(String given) {
    return new ResumeOptions(snapshotId, budget, idempotencyKey, timeout, given);
  }
}
