package io.flowgate.client.internal.calls;

import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.flowgate.client.live.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What is refused before anybody is asked is what the published document of the service has bounds for. */
class ArgumentsTest {
  private static final JsonNode SCHEMAS = published().at("/components/schemas");

  @Test
  void namesHaveTheLengthThatTheServiceTakes() {
    for (JsonNode name : new JsonNode[] {field("StopRun", "by"), field("RespondHitl", "responder")}) {
      int most = name.get("maxLength").intValue();
      taken(() -> Arguments.name("by", "x".repeat(most)));
      taken(() -> Arguments.name("by", "x".repeat(name.get("minLength").intValue())));
      refused(() -> Arguments.name("by", "x".repeat(most + 1)));
      refused(() -> Arguments.name("by", ""));
    }
  }

  @Test
  void commentsHaveTheLengthThatTheServiceTakes() {
    int most = field("RespondHitl", "comment").get("maxLength").intValue();
    taken(() -> Arguments.comment("x".repeat(most)));
    refused(() -> Arguments.comment("x".repeat(most + 1)));
  }

  @Test
  void gatesBeginWhereTheServiceHasThemBegin() {
    long least = field("RespondHitl", "gateId").get("minimum").longValue();
    taken(() -> Arguments.gateId(least));
    refused(() -> Arguments.gateId(least - 1));
  }

  @Test
  void budgetsHaveTheBoundsOfTheService() {
    long tokens = field("RunBudget", "maxTokens").get("maximum").longValue();
    double cost = field("RunBudget", "maxCost").get("maximum").doubleValue();
    taken(() -> Arguments.budget(tokens, cost));
    taken(() -> Arguments.budget(0L, 0.0));
    refused(() -> Arguments.budget(tokens + 1, null));
    refused(() -> Arguments.budget(null, Math.nextUp(cost)));
    refused(() -> Arguments.budget(-1L, null));
  }

  private static void taken(ThrowingCallable check) {
    assertThatCode(check).doesNotThrowAnyException();
  }

  private static void refused(ThrowingCallable check) {
    assertThatCode(check).isInstanceOf(IllegalArgumentException.class);
  }

  private static JsonNode field(String request, String name) {
    return SCHEMAS.at("/Flowgate" + request + "/properties/" + name);
  }

  private static JsonNode published() {
    try {
      return new ObjectMapper().readTree(Repository.root().resolve("schemas/openapi.json").toFile());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
