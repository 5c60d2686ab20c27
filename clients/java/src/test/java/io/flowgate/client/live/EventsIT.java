package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.gate;
import static io.flowgate.client.live.Documents.mock;
import static io.flowgate.client.live.Documents.parsed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.flowgate.client.EventPage;
import io.flowgate.client.EventView;
import io.flowgate.client.EventsOptions;
import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.PublicEvent;
import io.flowgate.client.RunRecord;
import io.flowgate.client.StartOptions;
import io.flowgate.client.TypedFlowgateClient;
import io.flowgate.client.Watch;
import io.flowgate.client.WatchOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a run did, page by page and as it happens. */
@Timeout(60)
@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
class EventsIT extends AtEveryPlace {
  private static final StartOptions SYNC = StartOptions.defaults().sync(true);

  private TypedFlowgateClient typed;

  @BeforeEach
  void openTyped() {
    typed = client.typed();
  }

  private List<PublicEvent> all(String workflowId, String runId, EventsOptions options) {
    List<PublicEvent> events = new ArrayList<>();
    EventsOptions page = options;
    for (Long next = 0L; next != null; ) {
      EventPage read = typed.events(workflowId, runId, page);
      events.addAll(read.items());
      next = read.next();
      if (next != null) page = page.afterSeq(next);
    }
    return events;
  }

  @Test
  void areTheSameInPagesAndWatched() {
    typed.loadAndRegister(document("told", List.of(mock("a"), gate("agree"), mock("b"))));
    String runId = typed.startWorkflow("told", null, SYNC).runId();
    List<PublicEvent> watched = new ArrayList<>();
    try (Watch<PublicEvent> watch = typed.watchRun("told", runId)) {
      while (watch.hasNext()) {
        PublicEvent event = watch.next();
        watched.add(event);
        assertThat(watch.position()).isEqualTo(Long.toString(event.seq()));
        if (event.type().equals("gate.opened")) typed.respondHitl("told", runId, true);
      }
    }
    assertThat(watched).extracting(PublicEvent::type).startsWith("run.started").contains("gate.decided").endsWith("run.completed");
    assertThat(all("told", runId, EventsOptions.defaults())).isEqualTo(watched);
    assertThat(all("told", runId, EventsOptions.defaults().limit(2))).isEqualTo(watched);
    assertThat(typed.events("told", runId, EventsOptions.defaults().tail(2)).items())
        .isEqualTo(watched.subList(watched.size() - 2, watched.size()));
    assertThat(typed.event("told", runId, watched.get(1).seq())).isEqualTo(watched.get(1));
    assertThat(parsed(client.event("told", runId, 1)).get("type").textValue()).isEqualTo("run.started");

    WatchOptions fromTheMiddle = WatchOptions.defaults().after(Long.toString(watched.get(3).seq()));
    try (Stream<PublicEvent> rest = typed.watchRun("told", runId, fromTheMiddle).stream()) {
      assertThat(rest.toList()).isEqualTo(watched.subList(4, watched.size()));
    }
    WatchOptions fromTheEnd = WatchOptions.defaults().after(Long.toString(watched.get(watched.size() - 1).seq()));
    try (Watch<String> nothing = client.watchRun("told", runId, fromTheEnd)) {
      assertThat(nothing.hasNext()).isFalse();
    }
  }

  @Test
  void haveAViewOfTheLogWithPlaces() {
    typed.loadAndRegister(document("viewed", List.of(mock("a"))));
    RunRecord run = typed.startWorkflow("viewed", null, SYNC);
    List<PublicEvent> log = all("viewed", run.runId(), EventsOptions.defaults().view(EventView.LOG));
    assertThat(log).anyMatch(event -> event.type().equals("unit-scheduled") && event.path() != null);
    try (Stream<PublicEvent> watched =
        typed.watchRun("viewed", run.runId(), WatchOptions.defaults().view(EventView.LOG)).stream()) {
      assertThat(watched.toList()).isEqualTo(log);
    }
  }

  @Test
  void leaveOutLongValuesWhichAreThereOneByOne() {
    String text = "long ".repeat(2_000);
    typed.loadAndRegister(document("cut", List.of(mock("a", text))));
    RunRecord run = typed.startWorkflow("cut", null, SYNC);
    PublicEvent finished =
        all("cut", run.runId(), EventsOptions.defaults()).stream()
            .filter(event -> event.type().equals("unit.finished"))
            .findFirst()
            .orElseThrow();
    assertThat(finished.cut()).hasSize(1);
    assertThat(finished.cut().get(0).bytes()).isEqualTo(text.length() + 2);
    assertThat(finished.cut().get(0).head()).startsWith("\"long long");
    PublicEvent whole = typed.event("cut", run.runId(), finished.seq());
    assertThat(whole.cut()).isEmpty();
    assertThat(whole.data().toString()).contains(text.strip());
  }

  @Test
  void ofAllRunsAreToldFromNowOn() {
    typed.loadAndRegister(document("any", List.of(mock("a"))));
    try (Watch<PublicEvent> watch = typed.watchAll()) {
      String first = typed.startWorkflow("any", null, SYNC).runId();
      PublicEvent event = watch.next();
      while (!(event.runId().equals(first) && event.type().equals("run.completed"))) event = watch.next();
      String second = typed.startWorkflow("any", null, SYNC).runId();
      try (Watch<PublicEvent> later = typed.watchAll(WatchOptions.defaults().after(watch.position()))) {
        PublicEvent next = later.next();
        assertThat(next.runId()).isEqualTo(second);
        assertThat(next.type()).isEqualTo("run.started");
      }
    }
    try (Watch<PublicEvent> lost = typed.watchAll(WatchOptions.defaults().after("no such place"))) {
      assertThat(lost.next().type()).isEqualTo("reset");
    }
  }

  @Test
  void ofAnUnknownRunAreRefused() {
    typed.loadAndRegister(document("unknown", List.of(mock("a"))));
    String runId = typed.startWorkflow("unknown", null, SYNC).runId();
    for (var call :
        List.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
            () -> typed.events("unknown", "none"),
            () -> typed.watchRun("unknown", "none"),
            () -> typed.watchRun("other", runId),
            () -> typed.event("unknown", runId, 999))) {
      assertThat(catchThrowableOfType(FlowgateApiException.class, call).status()).isEqualTo(404);
    }
    var beyond =
        catchThrowableOfType(
            FlowgateApiException.class,
            () -> typed.watchRun("unknown", runId, WatchOptions.defaults().after("999")));
    assertThat(beyond.status()).isEqualTo(400);
  }
}
