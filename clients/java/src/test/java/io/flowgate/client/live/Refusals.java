package io.flowgate.client.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.flowgate.client.FlowgateApiException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What every refusal of the service has. */
final class Refusals {
  static final String NO_RUN = "01a1f2f0-0000-7000-8000-000000000000";

  private Refusals() {}

  /** Its body is JSON with the words, and the message contains all of it. */
  static FlowgateApiException refused(int status, String error, ThrowingCallable call) {
    FlowgateApiException refusal = catchThrowableOfType(FlowgateApiException.class, call);
    assertThat(refusal).as("It was not refused.").isNotNull();
    assertThat(refusal.status()).isEqualTo(status);
    JsonNode body = Documents.parsed(refusal.body());
    assertThat(body.get("error").textValue()).contains(error).isEqualTo(refusal.error());
    assertThat(refusal).hasMessageContaining(refusal.body());
    return refusal;
  }
}
