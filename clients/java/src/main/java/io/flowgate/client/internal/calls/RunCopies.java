package io.flowgate.client.internal.calls;

import io.flowgate.client.CallOptions;
import io.flowgate.client.ForkOptions;
import io.flowgate.client.RunRecord;
import io.flowgate.client.internal.http.Question;
import io.flowgate.client.internal.json.CallerJson;
import io.flowgate.client.internal.json.JsonBody;
import io.flowgate.client.internal.json.JsonFault;
import io.flowgate.client.internal.json.JsonText;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/** Forks, exports and imports of runs, each as an operation. Arguments are checked here, at once. */
public final class RunCopies {
  private static final String FORMAT = "flowgate-run/";

  private final Service service;

  RunCopies(Service service) {
    this.service = service;
  }

  public Operation<RunRecord> fork(String workflowId, String runId, ForkOptions options) {
    Duration unlessNamed = options.sync() ? Operations.FOREVER : service.timeout();
    Duration bound = options.timeout() == null ? unlessNamed : options.timeout();
    return fork(workflowId, runId, options.json(), options.idempotencyKey(), bound);
  }

  public Operation<RunRecord> forkWithJson(String workflowId, String runId, String forkJson) {
    String checked = CallerJson.fork(forkJson);
    return fork(workflowId, runId, checked, null, isSync(checked) ? Operations.FOREVER : service.timeout());
  }

  public Operation<String> exportRun(String workflowId, String runId, CallOptions options) {
    Question question = Question.getLines(service.ofRun(Map.of(), workflowId, runId, "export"), RunCopies::isExport);
    return new Ask<>(service.tries(), service.bound(options.timeout()), () -> question, text -> text);
  }

  /** The service knows a run by its id: no key is needed for it to be there once. */
  public Operation<RunRecord> importRun(String export, CallOptions options) {
    Objects.requireNonNull(export, "export must be the text of an export");
    URI address = service.address(Map.of(), "runs", "import");
    Question question = Question.postLines(address, JsonBody.bytes(export), "run-known", Operations.IS_RUN);
    return new Ask<>(service.tries(), service.bound(options.timeout()), () -> question, RecordReader::run);
  }

  private Operation<RunRecord> fork(String workflowId, String runId, String json, String givenKey, Duration bound) {
    URI address = service.ofRun(Map.of(), workflowId, runId, "fork");
    Question question = Question.post(address, JsonBody.bytes(json), Service.key(givenKey), Operations.IS_RUN);
    return new Ask<>(service.tries(), bound, () -> question, RecordReader::run);
  }

  private static boolean isSync(String json) {
    try {
      return Boolean.TRUE.equals(JsonText.surface(json).get("sync"));
    } catch (JsonFault impossible) {
      throw new IllegalArgumentException(impossible);
    }
  }

  /** Its first line says what it is, and its last one that it is whole. */
  private static boolean isExport(String text) throws JsonFault {
    int firstEnd = text.indexOf('\n');
    String whole = text.stripTrailing();
    int lastBegin = whole.lastIndexOf('\n') + 1;
    if (firstEnd < 0 || lastBegin == 0) return false;
    return JsonText.surface(text.substring(0, firstEnd)).get("format") instanceof String format
        && format.startsWith(FORMAT)
        && JsonText.surface(whole.substring(lastBegin)).get("sha256") instanceof String;
  }
}
