package com.example.orders;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a run leaves behind. */
record Handled(
    String orderId,
    double amount,
    @JsonProperty("output.approve") Decision decision,
    @JsonProperty("output.ship") String shipped) {
  /** Of who had to agree. */
  record Decision(boolean approved, String responder) {}
}
