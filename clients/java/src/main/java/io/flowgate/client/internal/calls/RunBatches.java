package io.flowgate.client.internal.calls;

import io.flowgate.client.BatchedRun;
import io.flowgate.client.BatchedStart;
import io.flowgate.client.CallOptions;
import io.flowgate.client.FlowgateException;
import io.flowgate.client.StartedBatch;
import io.flowgate.client.internal.http.ClientWords;
import io.flowgate.client.internal.http.Question;
import io.flowgate.client.internal.json.Fields;
import io.flowgate.client.internal.json.JsonBody;
import io.flowgate.client.internal.json.ObjectMapping;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Batches of starts, as an operation. Arguments are checked here, at once. */
public final class RunBatches {
  private static final String RUNS = "runs";

  private final Service service;

  RunBatches(Service service) {
    this.service = service;
  }

  /** Each run has one key for the whole call, so that it is started once however often the call is tried. */
  public Operation<StartedBatch> startBatch(String workflowId, List<BatchedStart> runs, CallOptions options) {
    URI address = service.ofWorkflow(Map.of(), workflowId, RUNS, "batch");
    Arguments.batch(runs);
    String json = runs.stream().map(RunBatches::json).collect(Collectors.joining(",", "[", "]"));
    byte[] body = new JsonBody().json(RUNS, json).bytes();
    Question question = Question.post(address, body, null, answer -> answer.get(RUNS) instanceof List);
    int count = runs.size();
    return new Ask<>(service.tries(), service.bound(options.timeout()), () -> question, text -> batch(text, count));
  }

  private static String json(BatchedStart start) {
    return new JsonBody()
        .json("input", start.inputJson())
        .json("labels", start.labels().isEmpty() ? null : JsonBody.ofTexts(start.labels()))
        .text("idempotencyKey", Service.key(start.idempotencyKey()))
        .json();
  }

  private static StartedBatch batch(String json, int count) {
    List<BatchedRun> runs = RecordReader.fields(json).objects(RUNS).stream().map(RunBatches::run).toList();
    if (runs.size() == count) return new StartedBatch(runs, json);
    throw new FlowgateException(
        "The answer has " + runs.size() + " runs, and " + count + " were sent: check what stands in front of the service",
        null);
  }

  private static BatchedRun run(Fields run) {
    if (run.text("runId") != null) return new BatchedRun.Started(RecordReader.run(run, ObjectMapping.object("run", run.all())));
    return new BatchedRun.Refused(
        (int) run.whole("status", 0),
        run.text("code"),
        ClientWords.of(run.text("error")),
        run.text("type"),
        run.objects("details").stream().map(Fields::all).toList(),
        ClientWords.of(run.text("detail")));
  }
}
