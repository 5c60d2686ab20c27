package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.gate;
import static io.flowgate.client.live.Documents.mock;
import static io.flowgate.client.live.Documents.parsed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.ForkOptions;
import io.flowgate.client.Page;
import io.flowgate.client.PageOptions;
import io.flowgate.client.RunItem;
import io.flowgate.client.RunRecord;
import io.flowgate.client.RunStatus;
import io.flowgate.client.RunsQuery;
import io.flowgate.client.SnapshotItem;
import io.flowgate.client.StartOptions;
import io.flowgate.client.TypedFlowgateClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs that are tried again, and that go to another service. */
@Timeout(60)
class RunCopiesIT {
  @RegisterExtension static final LiveService SERVICE = LiveService.inMemory();
  @RegisterExtension static final LiveService OTHER = LiveService.inMemory();
  private static final StartOptions SYNC = StartOptions.defaults().sync(true);
  private static final ForkOptions FORK = ForkOptions.defaults().sync(true);
  private static final String ECHO = "copied";

  private FlowgateClient client;
  private TypedFlowgateClient typed;

  @BeforeEach
  void open() {
    client = new FlowgateClient(SERVICE.url());
    typed = client.typed();
    typed.loadAndRegister(document(ECHO, List.of(mock("a", "${{ input.n }} a"), mock("b", "${{ input.n }} b"))));
  }

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void beginAgainWithAnotherInputWhileTheOriginalStays() {
    RunRecord run = typed.startWorkflow(ECHO, Map.of("n", "one"), SYNC);
    RunRecord again = typed.fork(ECHO, run.runId(), FORK);
    assertThat(again.result().state()).isEqualTo(run.result().state());
    RunRecord other = typed.fork(ECHO, run.runId(), FORK.input(Map.of("n", "two")).labels(Map.of("why", "to see")));
    assertThat(other.result().state()).isEqualTo(Map.of("n", "two", "output.a", "two a", "output.b", "two b"));
    // What the run was started with stays, also where the state says otherwise.
    RunRecord fromB = typed.fork(ECHO, run.runId(), FORK.fromUnit("b").state(Map.of("n", "three", "output.a", "other")));
    assertThat(fromB.result().state()).isEqualTo(Map.of("n", "three", "output.a", "other", "output.b", "one b"));
    assertThat(parsed(client.fork(ECHO, run.runId(), "{\"sync\":true}")).get("status").textValue()).isEqualTo("completed");
    assertThat(client.async().fork(ECHO, run.runId(), FORK).join().status()).isEqualTo(RunStatus.COMPLETED);
    assertThat(typed.getRun(ECHO, run.runId()).json()).isEqualTo(run.json());
    List<RunItem> forks = typed.listRuns(RunsQuery.all().forkedFrom(run.runId())).items();
    assertThat(forks).hasSize(5).allMatch(item -> item.origin().equals("fork"));
    assertThat(forks).anyMatch(item -> item.labels().equals(Map.of("why", "to see")));
  }

  @Test
  void beginAtCheckpointsWhichAreListedNewestFirst() {
    RunRecord run = typed.startWorkflow(ECHO, Map.of("n", "one"), SYNC);
    List<SnapshotItem> snapshots = new ArrayList<>();
    PageOptions options = PageOptions.defaults().limit(1);
    for (String next = ""; next != null; options = options.cursor(next)) {
      Page<SnapshotItem> page = typed.listSnapshots(ECHO, run.runId(), options);
      snapshots.addAll(page.items());
      next = page.next();
    }
    assertThat(snapshots).isSortedAccordingTo(Comparator.comparing(SnapshotItem::createdAt).reversed());
    assertThat(snapshots).isEqualTo(typed.listSnapshots(ECHO, run.runId()).items()).hasSizeGreaterThan(1);
    SnapshotItem first = snapshots.get(snapshots.size() - 1);
    assertThat(first.unitId()).isEqualTo("a");
    RunRecord fork = typed.fork(ECHO, run.runId(), FORK.fromSnapshot(first.snapshotId()));
    assertThat(fork.result().state()).isEqualTo(run.result().state());
  }

  @Test
  void areMadeOnceUnderOneKey() {
    RunRecord run = typed.startWorkflow(ECHO, Map.of("n", "one"), SYNC);
    ForkOptions keyed = FORK.idempotencyKey("again, once");
    assertThat(typed.fork(ECHO, run.runId(), keyed).runId()).isEqualTo(typed.fork(ECHO, run.runId(), keyed).runId());
  }

  @Test
  void areRefusedInWords() {
    typed.loadAndRegister(document("gated copy", List.of(mock("a"), gate("agree"), mock("b"))));
    String runId = typed.startWorkflow("gated copy", null, SYNC).runId();
    assertThat(refused("gated copy", runId, FORK.fromUnit("b"))).isEqualTo("409 unit-not-reached");
    typed.respondHitl("gated copy", runId, true);
    typed.waitForRun("gated copy", runId);
    assertThat(refused("gated copy", runId, FORK.fromUnit("b").state(Map.of("x", 1)))).isEqualTo("409 decided-gate");
    assertThat(refused("gated copy", "none", FORK)).isEqualTo("404 unknown-run");
    assertThat(refused("gated copy", runId, FORK.fromSnapshot("none.1"))).isEqualTo("404 no-checkpoint");
    typed.loadAndRegister(document("gated copy", List.of(gate("agree"), mock("c"))));
    assertThat(refused("gated copy", runId, FORK.fromUnit("b").currentDefinition())).isEqualTo("409 incompatible-definition");
  }

  private String refused(String workflowId, String runId, ForkOptions options) {
    var error = catchThrowableOfType(FlowgateApiException.class, () -> typed.fork(workflowId, runId, options));
    return error.status() + " " + error.code();
  }

  @Test
  void goToAnotherServiceAndAreForkedThere() {
    RunRecord run = typed.startWorkflow(ECHO, Map.of("n", "ü 🚀"), SYNC);
    String export = client.exportRun(ECHO, run.runId());
    assertThat(typed.exportRun(ECHO, run.runId())).isEqualTo(export);
    try (FlowgateClient there = new FlowgateClient(OTHER.url())) {
      RunRecord imported = there.typed().importRun(export);
      assertThat(imported.runId()).isEqualTo(run.runId());
      assertThat(imported.result().state()).isEqualTo(run.result().state());
      var known = catchThrowableOfType(FlowgateApiException.class, () -> there.importRun(export));
      assertThat(known.status() + " " + known.code()).isEqualTo("409 run-known");
      RunRecord fork = there.typed().fork(ECHO, run.runId(), FORK);
      assertThat(fork.result().state()).isEqualTo(run.result().state());
      String flipped = export.replaceFirst("one|ü", "x");
      assertThat(catchThrowableOfType(FlowgateApiException.class, () -> there.importRun(flipped)).status()).isEqualTo(400);
    }
    var unknown = catchThrowableOfType(FlowgateApiException.class, () -> client.exportRun(ECHO, "none"));
    assertThat(unknown.status()).isEqualTo(404);
  }
}
