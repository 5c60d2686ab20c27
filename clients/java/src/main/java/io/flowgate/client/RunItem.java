package io.flowgate.client;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What lists say of a run.
 *
 * @param runId of the run
 * @param workflowId of its workflow
 * @param status its status
 * @param createdAt epoch ms
 * @param updatedAt epoch ms
 * @param endedAt epoch ms; null: it has not ended
 * @param duration ms of time not paused; null of runs that ended before lists knew of it
 * @param tokenUsage in tokens; null where {@code duration} is
 * @param cost in the currency that the units report; null where {@code duration} is
 * @param labels that it was started with, immutable
 * @param origin where it is from: {@code client}, {@code fork}, {@code schedule}, {@code bulk}, {@code child}, {@code import}
 * @param forkedFrom the run that it is a fork of; null: of none
 * @param parentRunId the run that it is a child of; null: of none
 * @param definitionHash of the version of its workflow that it goes by
 * @param cancelled whether somebody cancelled it
 * @param error why it failed, at most 1,000 characters; null: it did not
 * @param waitingFor what has to happen first: {@code gate}, {@code resume}, {@code child}, {@code time}, {@code unit}; null: it
 *     has ended
 * @param openGates the oldest 20 that wait for a decision
 * @param compensation what became of what other units undo; null: nothing is, or was, to be undone, or it ended before lists
 *     knew of it
 */
public record RunItem(
    String runId,
    String workflowId,
    RunStatus status,
    long createdAt,
    long updatedAt,
    Long endedAt,
    Double duration,
    Double tokenUsage,
    Double cost,
    Map<String, String> labels,
    String origin,
    String forkedFrom,
    String parentRunId,
    String definitionHash,
    boolean cancelled,
    String error,
    String waitingFor,
    List<OpenGate> openGates,
    FullRunRecord.Compensation compensation) {
  /** Copies what could be changed. */
  public RunItem {
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    openGates = List.copyOf(openGates);
  }

  /** A run that did nothing that other units undo. */
  public RunItem(
      String runId,
      String workflowId,
      RunStatus status,
      long createdAt,
      long updatedAt,
      Long endedAt,
      Double duration,
      Double tokenUsage,
      Double cost,
      Map<String, String> labels,
      String origin,
      String forkedFrom,
      String parentRunId,
      String definitionHash,
      boolean cancelled,
      String error,
      String waitingFor,
      List<OpenGate> openGates) {
    this(
        runId,
        workflowId,
        status,
        createdAt,
        updatedAt,
        endedAt,
        duration,
        tokenUsage,
        cost,
        labels,
        origin,
        forkedFrom,
        parentRunId,
        definitionHash,
        cancelled,
        error,
        waitingFor,
        openGates,
        null);
  }

  /**
   * A gate that waits for a decision.
   *
   * @param gateId of the gate, in its run
   * @param unitId of the unit that asks
   * @param title what it asks, at most 200 characters
   * @param titleCut the title is longer, and truncated here
   * @param openedAt epoch ms
   * @param dueAt epoch ms at which its time is up; null: it waits as long as it takes
   */
  public record OpenGate(
      long gateId, String unitId, String title, boolean titleCut, long openedAt, Long dueAt) {
    /** A gate that waits as long as it takes. */
    public OpenGate(long gateId, String unitId, String title, boolean titleCut, long openedAt) {
      this(gateId, unitId, title, titleCut, openedAt, null);
    }
  }
}
