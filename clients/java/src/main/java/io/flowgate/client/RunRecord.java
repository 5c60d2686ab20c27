package io.flowgate.client;

import java.util.List;

/**
 * A run as it was when the service answered (interface, section 2). Immutable. {@link #toString()} leaves out what the run
 * works with.
 *
 * @param runId of the run
 * @param workflowId of its workflow
 * @param status its status
 * @param createdAt epoch ms
 * @param updatedAt epoch ms
 * @param result null unless the run is completed or paused
 * @param error null unless the run failed
 * @param cancelled whether somebody cancelled it: its status is {@code FAILED} then
 * @param warnings of the request that was answered: what of its body nobody reads and looks meant; empty without
 * @param json the answer as it came
 */
public record RunRecord(
    String runId,
    String workflowId,
    RunStatus status,
    long createdAt,
    long updatedAt,
    WorkflowResult result,
    String error,
    boolean cancelled,
    List<String> warnings,
    String json) {
  @Override
  public String toString() {
    return "RunRecord[runId=" + runId + ", workflowId=" + workflowId + ", status=" + status + "]";
  }
}
