package io.flowgate.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DocumentFaultTest {
  @Test
  void ofABindingHasNoPlace() {
    DocumentFault fault = new DocumentFault("/acme.a/url", null, null, "acme.a.url is required");
    assertThat(fault.line()).isNull();
    assertThat(fault.column()).isNull();
  }
}
