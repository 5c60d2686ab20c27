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
 */
public record ResumeOptions(String snapshotId, RunBudget budget, String idempotencyKey, Duration timeout) {
  private static final ResumeOptions DEFAULTS = new ResumeOptions(null, null, null, null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public ResumeOptions {
    Arguments.key(idempotencyKey);
    Arguments.timeout(timeout);
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
    return new ResumeOptions(given, budget, idempotencyKey, timeout);
  }

  /**
   * With another budget.
   *
   * @param given what the run may use from now on; null: as before
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ResumeOptions budget(RunBudget given) {
    return new ResumeOptions(snapshotId, given, idempotencyKey, timeout);
  }

  /**
   * Under a key of yours.
   *
   * @param given the same key with the same request is carried out once; null: one that the client makes for the call
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ResumeOptions idempotencyKey(String given) {
    return new ResumeOptions(snapshotId, budget, given, timeout);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ResumeOptions timeout(Duration given) {
    return new ResumeOptions(snapshotId, budget, idempotencyKey, given);
  }
}
