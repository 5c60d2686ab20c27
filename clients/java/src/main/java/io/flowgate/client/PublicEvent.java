package io.flowgate.client;

import io.flowgate.client.internal.json.JsonValues;
import java.util.List;
import java.util.Map;

/**
 * One thing that a run did. {@link #toString()} leaves out what the run works with.
 *
 * @param runId of the run; null of a {@code reset}
 * @param workflowId of its workflow; null of a {@code reset}
 * @param seq its position in the run's log; not every one is sent
 * @param at epoch ms
 * @param type {@code run.started}, {@code run.forked}, {@code run.paused}, {@code run.resumed}, {@code run.rewound},
 *     {@code run.completed}, {@code run.failed}, {@code run.cancelled}, {@code unit.scheduled}, {@code unit.retrying},
 *     {@code unit.finished}, {@code unit.failed}, {@code unit.skipped}, {@code compensation.started},
 *     {@code compensation.failed}, {@code compensation.finished}, {@code state.written}, {@code gate.opened},
 *     {@code gate.decided}, {@code gate.closed}, or one of a later service; {@code reset} where a watch of all runs missed some; with
 *     {@link EventView#LOG} the type of the log's own event
 * @param data as the published schema of its type says: values of JSON as in {@link WorkflowResult}, deeply immutable
 * @param path with {@link EventView#LOG}: where in the document; null: it has no location
 * @param scope with {@link EventView#LOG}: in which instance of that location; may be null
 * @param cut values that were left out of {@code data} for their size: {@code event} of a client gives them whole
 * @param change what became of the run with this event; null: its status is as before, or the event says so itself, or the
 *     service is older
 */
public record PublicEvent(
    String runId,
    String workflowId,
    long seq,
    long at,
    String type,
    Map<String, Object> data,
    String path,
    String scope,
    List<CutValue> cut,
    Change change) {
  /** Copies what could be changed. */
  public PublicEvent {
    data = JsonValues.immutable(data);
    cut = List.copyOf(cut);
  }

  /** An event with which the status of its run did not change. */
  public PublicEvent(
      String runId,
      String workflowId,
      long seq,
      long at,
      String type,
      Map<String, Object> data,
      String path,
      String scope,
      List<CutValue> cut) {
    this(runId, workflowId, seq, at, type, data, path, scope, cut, null);
  }

  /**
   * What became of a run.
   *
   * @param type {@code run.paused} or {@code run.resumed}
   * @param data as of an event of that type; its {@code status} is that of the run from then on
   */
  public record Change(String type, Map<String, Object> data) {
    /** Copies what could be changed. */
    public Change {
      data = JsonValues.immutable(data);
    }
  }

  /**
   * A value that was left out.
   *
   * @param pointer where in {@code data} it would be (RFC 6901)
   * @param bytes of its JSON
   * @param head the beginning of its JSON
   */
  public record CutValue(String pointer, long bytes, String head) {}

  @Override
  public String toString() {
    return "PublicEvent[runId=" + runId + ", seq=" + seq + ", type=" + type + "]";
  }
}
