package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.gate;
import static io.flowgate.client.live.Documents.mock;
import static io.flowgate.client.live.Documents.parsed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.GateItem;
import io.flowgate.client.GatePage;
import io.flowgate.client.GatesQuery;
import io.flowgate.client.ListChange;
import io.flowgate.client.Page;
import io.flowgate.client.RespondOptions;
import io.flowgate.client.RunItem;
import io.flowgate.client.RunRecord;
import io.flowgate.client.RunStatus;
import io.flowgate.client.RunsQuery;
import io.flowgate.client.StartOptions;
import io.flowgate.client.TypedFlowgateClient;
import io.flowgate.client.Watch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs and gates that are found by what is known of them. */
@Timeout(60)
@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
class RunListsIT extends AtEveryPlace {
  private TypedFlowgateClient typed;
  private String workflowId;

  @BeforeEach
  void register() {
    typed = client.typed();
    workflowId = "listed " + place.ordinal();
    typed.loadAndRegister(document(workflowId, List.of(mock("a"), gate("agree"))));
  }

  private RunRecord start(String label) {
    StartOptions options = StartOptions.defaults().sync(true).labels(Map.of("test", label, "place", place.name()));
    return typed.startWorkflow(workflowId, Map.of("n", 1), options);
  }

  @Test
  void areFoundByLabelsAndByAllElseThatIsKnown() {
    Instant before = Instant.now().minusSeconds(60);
    RunRecord run = start("known:by all");
    typed.startWorkflow(workflowId, null, StartOptions.defaults().sync(true));
    RunsQuery query =
        RunsQuery.all()
            .workflowId(workflowId)
            .status(RunStatus.PAUSED, RunStatus.RUNNING)
            .label("test", "known:by all")
            .label("place", place.name())
            .createdAfter(before)
            .createdBefore(before.plusSeconds(600))
            .openGate()
            .gateUnit("agree")
            .cancelled(false)
            .origin("client")
            .idPrefix(run.runId().substring(0, 8));
    Page<RunItem> page = typed.listRuns(query);
    assertThat(page.next()).isNull();
    RunItem item = page.items().get(0);
    assertThat(page.items()).hasSize(1);
    assertThat(item.runId()).isEqualTo(run.runId());
    assertThat(item.status()).isEqualTo(RunStatus.PAUSED);
    assertThat(item.labels()).isEqualTo(Map.of("test", "known:by all", "place", place.name()));
    assertThat(item.waitingFor()).isEqualTo("gate");
    assertThat(item.openGates()).extracting(RunItem.OpenGate::title).containsExactly("May agree pass?");
    assertThat(item.duration()).isNotNull();
    assertThat(item.endedAt()).isNull();
    assertThat(typed.listRuns(query.definitionHash(item.definitionHash())).items()).hasSize(1);
    assertThat(typed.listRuns(query.label("other", "by all").limit(1)).items()).isEmpty();
    assertThat(typed.listRuns(query.cancelled(true)).items()).isEmpty();
    assertThat(typed.listRuns(query.forkedFrom(run.runId())).items()).isEmpty();
    assertThat(parsed(client.listRuns(query)).at("/items/0/runId").textValue()).isEqualTo(run.runId());
    assertThat(client.async().listRuns(query).join().items()).hasSize(1);
  }

  @Test
  void areReadPageByPageEachOnce() {
    List<String> started = new ArrayList<>();
    for (int i = 0; i < 5; i++) started.add(start("paged").runId());
    List<String> listed = new ArrayList<>();
    RunsQuery query = RunsQuery.all().workflowId(workflowId).label("test", "paged").limit(2);
    for (String next = ""; next != null; query = query.cursor(next)) {
      Page<RunItem> page = typed.listRuns(query);
      page.items().forEach(run -> listed.add(run.runId()));
      next = page.next();
    }
    Collections.reverse(started);
    assertThat(listed).containsExactlyInAnyOrderElementsOf(started).hasSize(5);
  }

  @Test
  void refuseACursorOfAnotherList() {
    start("foreign");
    start("foreign");
    RunsQuery query = RunsQuery.all().workflowId(workflowId).limit(1);
    String next = typed.listRuns(query).next();
    var error =
        catchThrowableOfType(FlowgateApiException.class, () -> typed.listRuns(RunsQuery.all().limit(1).after(next)));
    assertThat(error.status()).isEqualTo(400);
    assertThat(error.error()).contains("cursor");
    var tooMany = catchThrowableOfType(FlowgateApiException.class, () -> typed.listRuns(RunsQuery.all().limit(201)));
    assertThat(tooMany.status()).isEqualTo(400);
  }

  @Test
  void tellOfGatesThatWaitAndOfThoseThatWereDecided() {
    RunRecord run = start("gates");
    GatePage open = typed.listGates(GatesQuery.defaults().workflowId(workflowId));
    assertThat(open.open()).isPositive();
    GateItem gate = open.items().get(0);
    assertThat(gate.runId()).isEqualTo(run.runId());
    assertThat(gate.unitId()).isEqualTo("agree");
    assertThat(gate.decision()).isNull();
    assertThat(gate.path()).startsWith("/");

    RespondOptions answer = RespondOptions.defaults().gateId(gate.gateId()).responder("ann").comment("so be it");
    typed.respondHitl(workflowId, run.runId(), true, answer);
    GatePage decided = typed.listGates(GatesQuery.defaults().workflowId(workflowId).decided(true).limit(1));
    assertThat(decided.items().get(0).runId()).isEqualTo(run.runId());
    assertThat(decided.items().get(0).decision().responder()).isEqualTo("ann");
    assertThat(decided.items().get(0).decision().comment()).isEqualTo("so be it");
    assertThat(typed.listGates(GatesQuery.defaults().workflowId(workflowId)).open()).isEqualTo(open.open() - 1);
  }

  @Test
  void areWatched() {
    RunRecord before = start("watched");
    RunsQuery query = RunsQuery.all().workflowId(workflowId).label("test", "watched").status(RunStatus.PAUSED);
    GatesQuery gatesQuery = GatesQuery.defaults().workflowId(workflowId);
    try (Watch<ListChange<RunItem>> runs = typed.watchRuns(query);
        Watch<ListChange<GateItem>> gates = typed.watchGates(gatesQuery)) {
      assertThat(runs.next())
          .isInstanceOfSatisfying(
              ListChange.Snapshot.class,
              first -> assertThat(((RunItem) first.items().get(0)).runId()).isEqualTo(before.runId()));
      assertThat(gates.next()).isInstanceOf(ListChange.Snapshot.class);
      typed.respondHitl(workflowId, before.runId(), true);
      RunRecord later = start("watched");
      boolean isGone = false;
      boolean isNew = false;
      while (!(isGone && isNew)) {
        ListChange<RunItem> change = runs.next();
        isGone |= change.equals(new ListChange.Remove<RunItem>(before.runId(), null));
        isNew |= change instanceof ListChange.Upsert<RunItem> upsert && upsert.item().runId().equals(later.runId());
      }
      isGone = false;
      isNew = false;
      while (!(isGone && isNew)) {
        ListChange<GateItem> change = gates.next();
        isGone |= change instanceof ListChange.Remove<GateItem> gone && gone.runId().equals(before.runId()) && gone.gateId() != null;
        isNew |= change instanceof ListChange.Upsert<GateItem> upsert && upsert.item().runId().equals(later.runId());
      }
    }
  }
}
