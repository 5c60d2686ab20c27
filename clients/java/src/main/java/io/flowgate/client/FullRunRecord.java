package io.flowgate.client;

import java.util.List;

/**
 * A run as it was when the service answered, with all that is known of it, whatever its status. Immutable.
 * {@link #toString()} leaves out what the run works with.
 *
 * @param run the record; its {@code result} is there whatever the status
 * @param failure what the run failed with; null: it did not fail, or was cancelled
 * @param waits what it waits for, at most 20, first what a person has to act upon; empty where it is over
 * @param compensation what became of what other units undo; null: nothing was done that is, or was, to be undone
 * @param parentRunId the run that it is a child of; null: of none
 * @param rootRunId the run that its family began with: itself, where it has no parent
 */
public record FullRunRecord(
    RunRecord run,
    Failure failure,
    List<OpenWait> waits,
    Compensation compensation,
    String parentRunId,
    String rootRunId) {
  /**
   * Where a run failed, and why.
   *
   * @param unitId the unit that failed; null: a flow did
   * @param path where it stands in the document of the run's version, a JSON pointer; null: that is not known
   * @param line the same as a line of the document, from 1; null where {@code path} is
   * @param column and as a column, from 1; null where {@code path} is
   * @param attempts how often the unit was called; 0 for what is not called
   * @param code {@code unit}, {@code timeout}, {@code rejected}, {@code child}, {@code budget}, {@code expression}, {@code route}
   *     or {@code fail}; null: that is not known
   * @param message the record's {@code error}
   */
  public record Failure(
      String unitId, String path, Long line, Long column, long attempts, String code, String message) {}

  /**
   * Something that a run waits for.
   *
   * @param waitingFor {@code gate}, {@code resume}, {@code child}, {@code time} or {@code unit}
   * @param id the {@code gateId} of a gate, the {@code executionId} of a call, the {@code pauseId} of a pause
   * @param unitId null: all of the run
   * @param path where it stands in the document, a JSON pointer
   * @param dueAt epoch ms at which it ends by itself, or is tried again; null: it does not
   * @param childRunId the run that is waited for; null: none is
   * @param reason why somebody has to resume it; null: nobody has to
   * @param index the place of the item of a foreach with {@code itemKey}; null: it is about none
   * @param itemKey what that item is called; null: it is about none
   */
  public record OpenWait(
      String waitingFor,
      long id,
      String unitId,
      String path,
      Long dueAt,
      String childRunId,
      String reason,
      Long index,
      String itemKey) {}

  /**
   * What became of what a run did and other units can undo.
   *
   * @param status {@code owed}, {@code running}, {@code done} or {@code failed}
   * @param done how many calls were undone
   * @param failed how many could not be, after the last attempt
   * @param unknown how many may have been made, and nobody undoes
   */
  public record Compensation(String status, long done, long failed, long unknown) {}
}
