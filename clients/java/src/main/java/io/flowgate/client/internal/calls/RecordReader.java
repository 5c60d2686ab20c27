package io.flowgate.client.internal.calls;

import io.flowgate.client.FlowgateException;
import io.flowgate.client.FullRunRecord;
import io.flowgate.client.Health;
import io.flowgate.client.MemoryHit;
import io.flowgate.client.MemorySearch;
import io.flowgate.client.MessagePage;
import io.flowgate.client.RegisteredWorkflow;
import io.flowgate.client.RunRecord;
import io.flowgate.client.RunStatus;
import io.flowgate.client.WorkflowResult;
import io.flowgate.client.internal.json.Fields;
import io.flowgate.client.internal.json.JsonFault;
import io.flowgate.client.internal.json.JsonText;
import java.util.Map;

/** Makes records of answers. What a later service adds is ignored; what is missing is null, 0 or empty. */
final class RecordReader {
  private RecordReader() {}

  static RunStatus status(String json) {
    try {
      return status(new Fields(JsonText.surface(json)));
    } catch (JsonFault fault) {
      throw tooMuch(fault);
    }
  }

  static RunRecord run(String json) {
    return run(fields(json), json);
  }

  static RunRecord run(Fields run, String json) {
    Fields result = run.object("result");
    return new RunRecord(
        run.text("runId"),
        run.text("workflowId"),
        status(run),
        run.whole("createdAt", 0),
        run.whole("updatedAt", 0),
        result == null ? null : result(result),
        run.text("error"),
        run.flag("cancelled"),
        run.texts("warnings"),
        json);
  }

  static FullRunRecord fullRun(String json) {
    Fields run = fields(json);
    Fields failure = run.object("failure");
    return new FullRunRecord(
        run(run, json),
        failure == null ? null : failure(failure),
        run.objects("waits").stream().map(RecordReader::openWait).toList(),
        compensation(run.object("compensation")),
        run.text("parentRunId"),
        run.text("rootRunId"));
  }

  private static FullRunRecord.OpenWait openWait(Fields wait) {
    return new FullRunRecord.OpenWait(
        wait.text("for"),
        wait.whole("id", 0),
        wait.text("unitId"),
        wait.text("path"),
        wait.wholeOrNull("dueAt"),
        wait.text("childRunId"),
        wait.text("reason"),
        wait.wholeOrNull("index"),
        wait.text("itemKey"));
  }

  /** Null where there is none. */
  static FullRunRecord.Compensation compensation(Fields compensation) {
    if (compensation == null) return null;
    return new FullRunRecord.Compensation(
        compensation.text("status"),
        compensation.whole("done", 0),
        compensation.whole("failed", 0),
        compensation.whole("unknown", 0));
  }

  private static FullRunRecord.Failure failure(Fields failure) {
    return new FullRunRecord.Failure(
        failure.text("unitId"),
        failure.text("path"),
        failure.wholeOrNull("line"),
        failure.wholeOrNull("column"),
        failure.whole("attempts", 0),
        failure.text("code"),
        failure.text("message"));
  }

  static RegisteredWorkflow registered(String json) {
    Fields registered = fields(json);
    return new RegisteredWorkflow(registered.text("workflowId"), registered.text("note"), json);
  }

  static MessagePage messages(String json) {
    Fields page = fields(json);
    return new MessagePage(page.objects("messages").stream().map(MessageReader::message).toList(), page.text("next"), json);
  }

  static MemorySearch search(String json) {
    return new MemorySearch(fields(json).objects("results").stream().map(RecordReader::hit).toList(), json);
  }

  static Health health(String json) {
    Fields health = fields(json);
    Fields memory = health.object("memory");
    return new Health(
        health.flag("ok"),
        health.texts("workflows"),
        health.text("version"),
        memory == null ? null : memory.wholeOrNull("behind"),
        health.wholeOrNull("undecided"),
        health.wholeOrNull("stalled"),
        health.text("error"),
        json);
  }

  private static WorkflowResult result(Fields result) {
    Fields state = result.object("state");
    return new WorkflowResult(
        result.text("runId"),
        result.texts("completedUnits"),
        state == null ? Map.of() : state.all(),
        result.objects("messages").stream().map(MessageReader::message).toList(),
        result.number("duration"),
        result.number("tokenUsage"),
        result.number("cost"),
        result.all().get("output"));
  }

  private static MemoryHit hit(Fields hit) {
    Fields metadata = hit.object("metadata");
    return new MemoryHit(
        hit.text("id"), hit.text("content"), hit.number("score"), metadata == null ? Map.of() : metadata.all());
  }

  static RunStatus status(Fields run) {
    String status = run.text("status");
    return switch (status == null ? "" : status) {
      case "pending" -> RunStatus.PENDING;
      case "running" -> RunStatus.RUNNING;
      case "paused" -> RunStatus.PAUSED;
      case "completed" -> RunStatus.COMPLETED;
      case "failed" -> RunStatus.FAILED;
      default -> RunStatus.UNKNOWN;
    };
  }

  static Fields fields(String json) {
    try {
      return new Fields(JsonText.object(json));
    } catch (JsonFault fault) {
      throw tooMuch(fault);
    }
  }

  /** That it is JSON was found before. */
  private static FlowgateException tooMuch(JsonFault fault) {
    return new FlowgateException(
        "The answer cannot be made a record: " + fault.getMessage() + ". The method of FlowgateClient gives it as text", fault);
  }
}
