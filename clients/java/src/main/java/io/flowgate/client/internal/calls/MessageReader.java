package io.flowgate.client.internal.calls;

import io.flowgate.client.RunMessage;
import io.flowgate.client.internal.json.Fields;
import java.util.Set;

/** Makes a record of one message. One that lacks a field of its kind is none of the kind. */
final class MessageReader {
  private MessageReader() {}

  static RunMessage message(Fields message) {
    String type = message.text("type");
    RunMessage known = type == null ? null : known(type, message);
    return known == null
        ? new RunMessage.Other(type == null ? "" : type, message.whole("timestamp", 0), message.all())
        : known;
  }

  private static RunMessage known(String type, Fields message) {
    long at = message.whole("timestamp", 0);
    String unitId = message.text("unitId");
    String error = message.text("error");
    long attempt = message.whole("attempt", 0);
    return switch (type) {
      case "unit-output" ->
          has(message, Set.of("sourceUnitId"), Set.of("data"))
              ? new RunMessage.UnitOutput(at, message.text("sourceUnitId"), message.all().get("data"), attempt)
              : null;
      case "unit-skipped" -> has(message, Set.of("unitId"), Set.of()) ? new RunMessage.UnitSkipped(at, unitId) : null;
      case "unit-retry" ->
          has(message, Set.of("unitId", "error"), Set.of())
              ? new RunMessage.UnitRetry(at, unitId, attempt, error, message.number("delayMs"))
              : null;
      case "unit-failed" ->
          has(message, Set.of("unitId", "error"), Set.of())
              ? new RunMessage.UnitFailed(at, unitId, attempt, error)
              : null;
      case "hitl-request" ->
          has(message, Set.of("unitId", "action"), Set.of("gateId"))
              ? new RunMessage.HitlRequest(
                  at, unitId, message.whole("gateId", 0), message.text("action"), message.all().get("payload"))
              : null;
      case "hitl-response" ->
          has(message, Set.of("responder"), Set.of("gateId", "approved"))
              ? new RunMessage.HitlResponse(
                  at,
                  message.whole("gateId", 0),
                  message.flag("approved"),
                  message.text("responder"),
                  wayIn(message),
                  message.flag("claimed"))
              : null;
      case "checkpoint" ->
          has(message, Set.of("runId", "snapshotId"), Set.of())
              ? new RunMessage.Checkpoint(at, message.text("runId"), message.text("snapshotId"))
              : null;
      case "delegation" ->
          has(message, Set.of("sourceUnitId", "targetUnitId"), Set.of())
              ? new RunMessage.Delegation(
                  at, message.text("sourceUnitId"), message.text("targetUnitId"), message.all().get("task"))
              : null;
      case "state-update" ->
          has(message, Set.of("key"), Set.of()) ? new RunMessage.StateUpdate(at, message.text("key")) : null;
      case "cost-update" ->
          has(message, Set.of("unitId"), Set.of())
              ? new RunMessage.CostUpdate(at, unitId, message.number("tokens"), message.number("cost"))
              : null;
      case "policy-violation" ->
          has(message, Set.of("unitId", "violation"), Set.of())
              ? new RunMessage.PolicyViolation(at, unitId, message.text("violation"))
              : null;
      case "timer-set" ->
          has(message, Set.of("unitId"), Set.of("dueAt"))
              ? new RunMessage.TimerSet(at, unitId, message.whole("dueAt", 0))
              : null;
      case "child-started" ->
          has(message, Set.of("unitId", "childRunId", "workflowId"), Set.of())
              ? new RunMessage.ChildStarted(at, unitId, message.text("childRunId"), message.text("workflowId"))
              : null;
      case "child-paused" ->
          has(message, Set.of("unitId", "childRunId"), Set.of())
              ? new RunMessage.ChildPaused(at, unitId, message.text("childRunId"))
              : null;
      case "child-ended" ->
          has(message, Set.of("unitId", "childRunId", "status"), Set.of())
              ? new RunMessage.ChildEnded(at, unitId, message.text("childRunId"), message.text("status"))
              : null;
      case "run-paused" ->
          has(message, Set.of("reason", "unitId", "error"), Set.of())
              ? new RunMessage.RunPaused(at, message.text("reason"), unitId, error)
              : null;
      case "rewound" ->
          has(message, Set.of("snapshotId"), Set.of()) ? new RunMessage.Rewound(at, message.text("snapshotId")) : null;
      case "run-failed" -> has(message, Set.of("error"), Set.of()) ? new RunMessage.RunFailed(at, error) : null;
      case "cancel-requested" ->
          has(message, Set.of("by"), Set.of())
              ? new RunMessage.CancelRequested(at, message.text("by"), message.flag("claimed"))
              : null;
      case "run-cancelled" ->
          has(message, Set.of("by"), Set.of())
              ? new RunMessage.RunCancelled(at, message.text("by"), message.flag("claimed"))
              : null;
      default -> null;
    };
  }

  /** A service of before it was told tells nothing. */
  private static String wayIn(Fields message) {
    String via = message.text("via");
    return via == null ? "unknown" : via;
  }

  private static boolean has(Fields message, Set<String> texts, Set<String> others) {
    return texts.stream().allMatch(name -> message.text(name) != null) && others.stream().allMatch(message::has);
  }
}
