package io.flowgate.client.internal.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.flowgate.client.DocumentFault;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FixturesTest {
  @Test
  void thereAreAsManyAsTheServiceIsTestedWith() throws IOException {
    assertThat(Fixtures.all()).hasSizeGreaterThanOrEqualTo(200);
  }

  static List<Fixtures.Fixture> fixtures() throws IOException {
    return Fixtures.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("fixtures")
  void isReadAsTheServiceReadsIt(Fixtures.Fixture fixture) {
    DocumentReading reading = DocumentReader.read(fixture.text(), fixture.apiGroups());
    if (fixture.isOkForClients()) {
      assertThat(reading.faults()).isEmpty();
      assertThat(reading.isOk()).isTrue();
      assertThat(reading.workflowId()).isNotEmpty();
      return;
    }
    assertThat(reading.workflowId()).isNull();
    assertThat(reading.stage()).hasToString(fixture.expected().get("stage").asText().toUpperCase(Locale.ROOT));
    JsonNode expected = fixture.expected().get("faults");
    if (expected.get(0).path("syntax").asBoolean()) expectLine(reading.faults(), expected.get(0).get("line").asInt());
    else {
      assertThat(placesOf(reading.faults())).containsExactlyInAnyOrderElementsOf(placesOf(expected));
      assertThat(String.join("\n", messagesOf(reading.faults()))).contains(messagesOf(expected));
    }
    assertThat(reading.faults()).allSatisfy(FixturesTest::isReadable);
  }

  /** By the README of the fixtures: on the line or the one after it, and none above it. */
  private static void expectLine(List<DocumentFault> faults, int line) {
    assertThat(faults).allSatisfy(fault -> assertThat(fault.path()).isEmpty());
    assertThat(faults.get(0).line()).as("line of %s", faults).isBetween(line, line + 1);
  }

  private static void isReadable(DocumentFault fault) {
    assertThat(fault.message()).isNotBlank().hasSizeLessThan(500).doesNotContain("\n");
    if (!fault.path().isEmpty()) {
      assertThat(fault.message())
          .satisfiesAnyOf(
              message -> assertThat(message).contains(JsonPointers.readable(fault.path())),
              message -> assertThat(message).contains(JsonPointers.readable(JsonPointers.parent(fault.path()))));
    }
  }

  private static List<String> placesOf(List<DocumentFault> faults) {
    return faults.stream().map(fault -> fault.path() + " " + fault.line() + ":" + fault.column()).toList();
  }

  private static List<String> messagesOf(List<DocumentFault> faults) {
    return faults.stream().map(DocumentFault::message).toList();
  }

  /** Nobody asks it of a reader in another language; but ours takes the words of the service where it can. */
  private static List<String> messagesOf(JsonNode faults) {
    List<String> messages = new ArrayList<>(List.of(""));
    faults.forEach(fault -> messages.add(fault.path("message").asText()));
    return messages;
  }

  private static List<String> placesOf(JsonNode faults) {
    List<String> places = new ArrayList<>();
    faults.forEach(
        fault ->
            places.add(fault.get("path").asText() + " " + fault.get("line").asInt() + ":" + fault.get("column").asInt()));
    return places;
  }
}
