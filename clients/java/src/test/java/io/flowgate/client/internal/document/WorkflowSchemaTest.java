package io.flowgate.client.internal.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkflowSchemaTest {
  private static DocumentReading read(String unitId, String collect) {
    return DocumentReader.read(
        "{ \"apiVersion\": \"flowgate/v1\", \"kind\": \"Workflow\", \"metadata\": { \"id\": \"x\" }, \"spec\": {"
            + " \"units\": [{ \"id\": \"a\", \"uses\": \"acme.a\" }], \"flow\": { \"type\": \"foreach\","
            + " \"items\": \"[1]\", \"do\": \"" + unitId + "\", \"collect\": \"" + collect + "\" } } }",
        List.of("flowgate"));
  }

  @Test
  void asksNobodyForAnotherSchema() throws Exception {
    JsonNode schema =
        new ObjectMapper().readTree(Fixtures.repository().resolve("schemas/workflow.v1.schema.json").toFile());
    assertThat(schema.findValuesAsText("$ref")).isNotEmpty().allMatch(address -> address.startsWith("#/$defs/"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "prüfung", "2nd-review", "\\ud83c\\udde8", "𝒳"})
  void namesOfUnitsMayHaveLettersOfAnyScript(String id) {
    assertThat(read(id, "b").isOk()).isEqualTo(!id.startsWith("\\"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\\n", "a b", "-a", ""})
  void othersAreRefusedToTheVeryEnd(String id) {
    assertThat(read(id, "b").faults()).extracting(fault -> fault.path()).containsExactly("/spec/flow/do");
  }

  @Test
  void aSignOfTheEndMeansTheEndAndNoLineFeedBeforeIt() {
    assertThat(read("a", "__proto__").isOk()).isFalse();
    assertThat(read("a", "__proto__\\n").isOk()).isTrue();
  }
}
