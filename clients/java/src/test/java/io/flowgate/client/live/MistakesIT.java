package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.gate;
import static io.flowgate.client.live.Documents.mock;
import static io.flowgate.client.live.Refusals.NO_RUN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.flowgate.client.BatchedRun;
import io.flowgate.client.BatchedStart;
import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.FlowgateClient;
import io.flowgate.client.KeyGrant;
import io.flowgate.client.KeysQuery;
import io.flowgate.client.MakeKeyOptions;
import io.flowgate.client.MessagesOptions;
import io.flowgate.client.StartOptions;
import io.flowgate.client.TypedFlowgateClient;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What somebody did with the client, and what they are told: a method, or an option, and nothing of HTTP. */
class MistakesIT {
  private static final String BOOTSTRAP = "what-somebody-made-up-to-begin-with-and-no-more";
  private static final String NO_HASH = "0".repeat(64);

  /** What is said over HTTP, on the command line or by tools alone. */
  private static final Pattern OF_OTHERS =
      Pattern.compile(
          "\\b(?:GET|POST|PUT|DELETE) [/…]|view=full|Idempotency-Key|Authorization:|[?&][a-z]\\w*=|(?<![\\w-])--[a-z]"
              + "|\\bflowgate [a-z]+ (?:<|--|lists)|\\blist_runs\\b");

  @RegisterExtension static final LiveService OPEN = LiveService.inMemory();

  @RegisterExtension
  static final LiveService GUARDED = LiveService.withKeys(BOOTSTRAP);

  private static FlowgateClient client;
  private static FlowgateClient admin;
  private static String over;
  private static String gates;

  @BeforeAll
  static void start() {
    client = FlowgateClient.builder(OPEN.url()).retries(0).build();
    TypedFlowgateClient typed = client.typed();
    typed.loadAndRegister(document("plain", List.of(mock("a"))));
    Map<String, Object> flow = Map.of("flow", Map.of("type", "parallel", "units", List.of("one", "two")));
    typed.loadAndRegister(document("gates", List.of(gate("one"), gate("two")), flow));
    over = typed.startWorkflow("plain", null, StartOptions.defaults().sync(true)).runId();
    gates = typed.startWorkflow("gates", null, StartOptions.defaults().sync(true)).runId();
    try (FlowgateClient first = as(BOOTSTRAP)) {
      admin = as(key(first, "ada@example.com", KeyGrant.of("*", "admin")));
    }
  }

  @AfterAll
  static void close() {
    client.close();
    admin.close();
  }

  private static FlowgateClient as(String token) {
    return FlowgateClient.builder(GUARDED.url()).token(token).retries(0).build();
  }

  private static String key(FlowgateClient maker, String owner, KeyGrant grant) {
    return maker.typed().makeKey(MakeKeyOptions.defaults().owner(owner).grants(List.of(grant))).secret();
  }

  private record Mistake(String what, ThrowingCallable call, String said) {}

  @TestFactory
  Stream<DynamicTest> areToldInWordsOfTheClient() {
    TypedFlowgateClient typed = client.typed();
    return Stream.of(
            new Mistake(
                "compensates what has nothing to compensate",
                () -> typed.compensate("plain", over),
                "its compensation in listRuns() says how it stands"),
            new Mistake(
                "gives a key again with something else",
                () -> {
                  StartOptions keyed = StartOptions.defaults().idempotencyKey("k");
                  typed.startWorkflow("plain", Map.of("n", 1), keyed);
                  typed.startWorkflow("plain", Map.of("n", 2), keyed);
                },
                "The idempotencyKey k stands for another request: give a new one"),
            new Mistake(
                "decides where two gates are open",
                () -> typed.respondHitl("gates", gates, true),
                "Several gates are open: name one of them by gateId"),
            new Mistake(
                "starts a workflow by a name that is nearly right",
                () -> typed.startWorkflow("plan", null),
                "Unknown workflow: plan\nDid you mean plain?"),
            new Mistake(
                "approves in a run that is over",
                () -> typed.respondHitl("plain", over, true),
                "The run is over (completed): nobody waits for this decision any more."),
            new Mistake(
                "reads a version that is none",
                () -> client.getWorkflow("plain", NO_HASH),
                "The workflow plain has no version " + NO_HASH + ": listVersions() names those that are kept"),
            new Mistake(
                "imports what is no export",
                () -> client.importRun("{\"format\":\"other\"}\n{}\n{}\n"),
                "send all of what the export answered"),
            new Mistake(
                "has a cursor of something else",
                () -> typed.getMessages("plain", over, MessagesOptions.defaults().cursor("x")),
                "cursor is none of these messages"),
            new Mistake(
                "lists the keys of a service that has none",
                () -> typed.listKeys(KeysQuery.defaults()),
                "This server asks nobody who they are, so there is nothing of this: start it with FLOWGATE_AUTH=keys"),
            new Mistake(
                "has no token",
                () -> {
                  try (FlowgateClient nobody = FlowgateClient.builder(GUARDED.url()).retries(0).build()) {
                    nobody.typed().listRuns();
                  }
                },
                "This needs a valid key or token: give the client a token"),
            new Mistake(
                "revokes a key that is none",
                () -> admin.typed().revokeKey("nobodys-key-1"),
                "There is no key nobodys-key-1: listKeys() lists those that there are"),
            new Mistake(
                "asks in a namespace that is not theirs",
                () -> {
                  String secret = key(admin, "ci@example.com", KeyGrant.of("billing", "viewer"));
                  try (FlowgateClient other =
                      FlowgateClient.builder(GUARDED.url()).token(secret).namespace("sales").retries(0).build()) {
                    other.typed().listRuns();
                  }
                },
                "Nothing is granted in the namespace sales: whoami() lists the namespaces that are"))
        .map(mistake -> DynamicTest.dynamicTest(mistake.what, () -> assertTold(mistake)));
  }

  /** The message shows the answer of HTTP as it came, too, and says that it is that. */
  private static void assertTold(Mistake mistake) {
    Throwable thrown = catchThrowable(mistake.call);
    assertThat(thrown).isInstanceOf(FlowgateApiException.class);
    String[] parts = thrown.getMessage().split("\nThe answer: ", 2);
    assertThat(parts).hasSize(2);
    assertThat(parts[0]).contains(mistake.said);
    assertThat(parts[0]).doesNotContainPattern(OF_OTHERS);
  }

  @Test
  void areToldSoInABatch() {
    StartOptions keyed = StartOptions.defaults().idempotencyKey("batched");
    client.typed().startWorkflow("plain", Map.of("n", 1), keyed);
    BatchedStart other = BatchedStart.of(Map.of("n", 2)).idempotencyKey("batched");
    assertThat(client.typed().startBatch("plain", List.of(other)).runs())
        .singleElement()
        .isInstanceOfSatisfying(
            BatchedRun.Refused.class,
            refused ->
                assertThat(refused.error())
                    .isEqualTo("The idempotencyKey batched stands for another request: give a new one"));
  }

  @Test
  void ofAnAddressAreToldBeforeAnybodyIsAsked() {
    assertThat(catchThrowable(() -> FlowgateClient.builder(""))).hasMessageStartingWith("baseUrl is no address: write http://");
    try (FlowgateClient lost = FlowgateClient.builder("http://127.0.0.1:1").retries(0).build()) {
      assertThat(catchThrowable(() -> lost.typed().listRuns()))
          .hasMessageContaining("is the service running, and is that its address?");
    }
  }
}
