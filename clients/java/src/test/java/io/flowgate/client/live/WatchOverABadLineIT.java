package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.bound;
import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.mock;
import static io.flowgate.client.live.Documents.remote;
import static org.assertj.core.api.Assertions.assertThat;

import io.flowgate.client.EventsOptions;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.PublicEvent;
import io.flowgate.client.StartOptions;
import io.flowgate.client.Watch;
import io.flowgate.client.stub.ManualTime;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whatever becomes of the connection, and of the service: what is delivered is what happened, once and in order. */
@Timeout(120)
class WatchOverABadLineIT {
  @RegisterExtension static final LiveService SERVICE = LiveService.durable();
  private static final int CUTS = 200;

  private static List<PublicEvent> rest(Watch<PublicEvent> watch) {
    List<PublicEvent> events = new ArrayList<>();
    while (watch.hasNext()) events.add(watch.next());
    return events;
  }

  @Test
  void aStreamThatIsCutAtRandomPlacesJoins() throws Exception {
    List<Map<String, Object>> units = new ArrayList<>();
    for (int i = 0; i < 12; i++) units.add(mock("u" + i, "answer ".repeat(i * 20)));
    Random random = new Random(15);
    int cuts = 0;
    try (ManualTime time = new ManualTime(Duration.ofSeconds(10));
        FlowgateClient direct = new FlowgateClient(SERVICE.url());
        CuttingProxy proxy = new CuttingProxy(SERVICE, () -> 1 + random.nextInt(3_000));
        FlowgateClient cut =
            FlowgateClient.builder(proxy.url()).clock(time).scheduler(time.scheduler()).retries(1_000).build()) {
      direct.loadAndRegister(document("cut", units), null);
      for (int round = 0; cuts < CUTS; round++) {
        boolean isOver = round % 2 == 0;
        String runId = direct.typed().startWorkflow("cut", Map.of("round", round), StartOptions.defaults().sync(isOver)).runId();
        List<PublicEvent> watched = rest(cut.typed().watchRun("cut", runId));
        assertThat(watched).isEqualTo(direct.typed().events("cut", runId, EventsOptions.defaults().limit(1_000)).items());
        cuts = proxy.cuts();
      }
    }
  }

  @Test
  void aStreamOutlivesAServiceThatIsKilledAndStartedAgain() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    try (UnitServer unit =
            UnitServer.start(
                call -> {
                  never.await();
                  return "";
                });
        FlowgateClient client = new FlowgateClient(SERVICE.url())) {
      client.loadAndRegister(document("killed", List.of(mock("a"), remote("work"))), bound("work", unit.url()));
      String runId = client.typed().startWorkflow("killed", null).runId();
      unit.awaitCall();
      List<PublicEvent> watched = new ArrayList<>();
      try (Watch<PublicEvent> watch = client.typed().watchRun("killed", runId)) {
        watched.add(watch.next());
        SERVICE.kill();
        unit.answer(call -> "{\"content\":\"done\"}");
        SERVICE.startAgain();
        watched.addAll(rest(watch));
      }
      assertThat(watched).extracting(PublicEvent::type).startsWith("run.started").endsWith("run.completed");
      assertThat(watched).isEqualTo(client.typed().events("killed", runId, EventsOptions.defaults().limit(1_000)).items());
    }
  }

  @Test
  void aWatchThatIsClosedLeavesNoConnectionAndOneThatEndsLeavesNone() throws Exception {
    try (CountingProxy proxy = new CountingProxy(SERVICE)) {
      FlowgateClient client = new FlowgateClient(proxy.url());
      client.loadAndRegister(document("left", List.of(mock("a"))), null);
      String runId = client.typed().startWorkflow("left", null, StartOptions.defaults().sync(true)).runId();
      for (int i = 0; i < 5; i++) assertThat(rest(client.typed().watchRun("left", runId))).isNotEmpty();
      int idle = proxy.open();
      List<Watch<PublicEvent>> open = new ArrayList<>();
      for (int i = 0; i < 5; i++) open.add(client.typed().watchAll());
      assertThat(proxy.open()).isGreaterThanOrEqualTo(5);
      open.forEach(Watch::close);
      Eventually.eventually(proxy::open, count -> count <= idle);
      client.close();
      Reference.reachabilityFence(client);
    }
  }
}
