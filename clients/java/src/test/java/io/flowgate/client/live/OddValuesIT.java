package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.bound;
import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.gate;
import static io.flowgate.client.live.Documents.json;
import static io.flowgate.client.live.Documents.mock;
import static io.flowgate.client.live.Documents.parsed;
import static io.flowgate.client.live.Documents.remote;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import io.flowgate.client.HttpBinding;
import io.flowgate.client.RespondOptions;
import io.flowgate.client.RunRecord;
import io.flowgate.client.RunStatus;
import io.flowgate.client.StartOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ids, values and sizes that somebody will have. */
@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
class OddValuesIT extends AtEveryPlace {
  private static final StartOptions SYNC = StartOptions.defaults().sync(true);
  private static final long TWO_TO_53 = 1L << 53;

  static Stream<String> ids() {
    return Stream.of(
        "with spaces and  more",
        "a/b//c",
        "100% %41 %2F %",
        "?x=1&y#z",
        "a+b",
        "ünïcödé 日本語 🚀",
        "\"quotes' `and` \\backslashes\\",
        "...",
        ".hidden",
        "__proto__",
        "from-yaml",
        "x".repeat(256));
  }

  static Map<String, Object> values() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("unicode", "a\u0301 日本語 🚀 \u2028\u2029 \0 \u202e");
    values.put("quotes", "\"double\" 'single' `back` \\ ${{ no }} {{ x }}");
    values.put("newlines", "one\ntwo\r\nthree\rfour\n\n");
    values.put("blanks", "  \t ");
    values.put("empty", "");
    values.put("nothing", null);
    values.put("no", false);
    values.put("zero", 0);
    values.put("twoTo53", TWO_TO_53);
    values.put("safe", TWO_TO_53 - 1);
    values.put("least", -TWO_TO_53);
    values.put("small", Double.MIN_VALUE);
    values.put("large", Double.MAX_VALUE);
    values.put("fraction", 0.1 + 0.2);
    values.put("list", list(null, "", List.of(), Map.of(), List.of(List.of())));
    values.put("", "a key without a name");
    values.put("a.b/c~d", Map.of("\"", 1));
    values.put("yes", "yes");
    values.put("~", "~");
    values.put("number", "0123");
    return Collections.unmodifiableMap(values);
  }

  private static List<Object> list(Object... items) {
    List<Object> all = new ArrayList<>();
    Collections.addAll(all, items);
    return all;
  }

  @ParameterizedTest
  @MethodSource("ids")
  void aWorkflowIdIsRegisteredStartedReadAndResumed(String id) {
    assertThat(parsed(client.loadAndRegister(document(id, List.of(mock("a"))), null)).get("workflowId").textValue())
        .isEqualTo(id);
    String run = client.startWorkflow(id, null, true);
    assertThat(parsed(run).get("workflowId").textValue()).isEqualTo(id);
    assertThat(parsed(run).get("status").textValue()).isEqualTo("completed");
    String runId = parsed(run).get("runId").textValue();
    assertThat(client.getRun(id, runId)).isEqualTo(run);
    assertThat(client.resume(id, runId, Optional.empty())).isEqualTo(run);
    RunRecord record = client.typed().getRun(id, runId);
    assertThat(client.typed().getMessages(id, runId).messages()).isEqualTo(record.result().messages());
    assertThat(client.typed().health().workflows()).contains(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {".", ".."})
  void anIdThatNoAddressCanCarryIsRefusedWithASentence(String id) {
    client.loadAndRegister(document(id, List.of(mock("a"))), null);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.startWorkflow(id, null, true))
        .withMessageContaining("The id " + id + " cannot be sent");
  }

  @Test
  void inputsComeToUnitsAndOutputsBackAsTheyWereAsText() throws Exception {
    try (UnitServer unit = UnitServer.start(OddValuesIT::echo)) {
      client.loadAndRegister(document("echo", List.of(remote("a"))), bound("a", unit.url()));
      String input = json(values());
      JsonNode run = parsed(client.startWorkflow("echo", input, true));
      assertThat(run.at("/result/state/output.a")).isEqualTo(parsed(input));
      assertThat(parsed(unit.requests().get(0).body()).get("input")).isEqualTo(parsed(input));
    }
  }

  @Test
  void inputsComeToUnitsAndOutputsBackAsTheyWereAsValues() throws Exception {
    try (UnitServer unit = UnitServer.start(OddValuesIT::echo)) {
      Map<String, HttpBinding> bindings = Map.of("acme.a", HttpBinding.to(unit.url()));
      client.typed().loadAndRegister(document("echo typed", List.of(remote("a"))), bindings);
      RunRecord run = client.typed().startWorkflow("echo typed", values(), SYNC);
      assertThat(run.result().state().get("output.a")).isEqualTo(values());
      assertThat(run.result().state()).containsAllEntriesOf(values());
    }
  }

  private static String echo(UnitServer.Received call) {
    return json(Map.of("content", parsed(call.body()).get("input")));
  }

  @Test
  void valuesOfADocumentComeToTheRunAsTheyStandThere() {
    String yaml =
        """
        apiVersion: flowgate/v1
        kind: Workflow
        metadata: { id: "block \\"quoted\\"" }
        spec:
          units:
            - id: a
              uses: builtin.mock
              config:
                response:
                  text: |
                    it's "quoted": yes # no comment

                    ünïcödé 🚀
                  big: 9007199254740991
                  empty: ''
                  nothing: ~
          flow: a
        """;
    String id = client.typed().loadAndRegister(yaml).workflowId();
    assertThat(id).isEqualTo("block \"quoted\"");
    Map<String, Object> expected = new LinkedHashMap<>();
    expected.put("text", "it's \"quoted\": yes # no comment\n\nünïcödé 🚀\n");
    expected.put("big", TWO_TO_53 - 1);
    expected.put("empty", "");
    expected.put("nothing", null);
    assertThat(client.typed().startWorkflow(id, null, SYNC).result().state().get("output.a")).isEqualTo(expected);
  }

  @Test
  void aDocumentOfAMegabyteAndAnInputAndAnOutputOfOne() {
    String text = "ü".repeat(500_000);
    client.loadAndRegister(document("large", List.of(mock("a", text))), null);
    String run = client.startWorkflow("large", json(Map.of("text", text)), true);
    assertThat(parsed(run).at("/result/state/text").textValue()).isEqualTo(text);
    assertThat(parsed(run).at("/result/state/output.a").textValue()).isEqualTo(text);
    RunRecord typed = client.typed().startWorkflow("large", Map.of("text", text), SYNC);
    assertThat(typed.result().state()).isEqualTo(Map.of("text", text, "output.a", text));
  }

  @Test
  void aResponderAndACommentOfAnyLetters() {
    client.loadAndRegister(document("asked", List.of(gate("a"))), null);
    String runId = client.typed().startWorkflow("asked", null, SYNC).runId();
    RespondOptions options = RespondOptions.defaults().responder("Ánn Ö’Hara 日本").comment("so\n\"be\" it 🚀");
    RunRecord run = client.typed().respondHitl("asked", runId, true, options);
    assertThat(run.status()).isEqualTo(RunStatus.COMPLETED);
    assertThat(parsed(run.json()).at("/result/state/output.a/responder").textValue()).isEqualTo(options.responder());
    assertThat(parsed(run.json()).at("/result/state/output.a/comment").textValue()).isEqualTo(options.comment());
  }
}
