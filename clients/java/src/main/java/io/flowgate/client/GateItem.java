package io.flowgate.client;

import io.flowgate.client.internal.json.JsonValues;

/**
 * One gate, of any run. {@link #toString()} leaves out what it shows to whoever decides.
 *
 * @param gateId of the gate, in its run
 * @param runId of the run
 * @param workflowId of its workflow
 * @param definitionHash of the version of the workflow that the run goes by
 * @param unitId of the unit that asks
 * @param path where it is in the document: a JSON pointer
 * @param title what it asks, at most 200 characters
 * @param titleCut the title is longer, and truncated here
 * @param description more of it, at most 1,000 characters; may be null
 * @param descriptionCut the description is longer, and truncated here
 * @param payload what is decided about: a value of JSON as in {@link WorkflowResult}, deeply immutable
 * @param payloadCut the payload was left out for its size
 * @param onReject what a rejection does: {@code fail} or {@code continue}
 * @param openedAt epoch ms
 * @param decision null: it waits
 * @param dueAt epoch ms at which its time is up; null: it waits as long as it takes
 */
public record GateItem(
    long gateId,
    String runId,
    String workflowId,
    String definitionHash,
    String unitId,
    String path,
    String title,
    boolean titleCut,
    String description,
    boolean descriptionCut,
    Object payload,
    boolean payloadCut,
    String onReject,
    long openedAt,
    Decision decision,
    Long dueAt) {
  /** Copies what could be changed. */
  public GateItem {
    payload = JsonValues.immutable(payload);
  }

  /** A gate that waits as long as it takes. */
  public GateItem(
      long gateId,
      String runId,
      String workflowId,
      String definitionHash,
      String unitId,
      String path,
      String title,
      boolean titleCut,
      String description,
      boolean descriptionCut,
      Object payload,
      boolean payloadCut,
      String onReject,
      long openedAt,
      Decision decision) {
    this(
        gateId,
        runId,
        workflowId,
        definitionHash,
        unitId,
        path,
        title,
        titleCut,
        description,
        descriptionCut,
        payload,
        payloadCut,
        onReject,
        openedAt,
        decision,
        null);
  }

  /**
   * What was decided.
   *
   * @param approved true: approved, false: rejected
   * @param responder who decided
   * @param decidedAt epoch ms
   * @param comment may be null
   */
  public record Decision(boolean approved, String responder, long decidedAt, String comment) {}

  @Override
  public String toString() {
    return "GateItem[runId=" + runId + ", gateId=" + gateId + ", title=" + title + ", decision=" + decision + "]";
  }
}
