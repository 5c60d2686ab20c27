package io.flowgate.client.live;

import static io.flowgate.client.live.Documents.document;
import static io.flowgate.client.live.Documents.mock;
import static io.flowgate.client.live.Documents.parsed;
import static io.flowgate.client.live.Documents.remote;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.HttpBinding;
import io.flowgate.client.PageOptions;
import io.flowgate.client.ServiceValidation;
import io.flowgate.client.TypedFlowgateClient;
import io.flowgate.client.WorkflowDetails;
import io.flowgate.client.WorkflowDiff;
import io.flowgate.client.WorkflowVersion;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the service keeps of workflows, and finds in them. */
@Timeout(60)
@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
class VersionsIT extends AtEveryPlace {
  private TypedFlowgateClient typed;

  @BeforeEach
  void openTyped() {
    typed = client.typed();
  }

  @Test
  void areReadListedAndCompared() {
    String id = "kept/" + place.ordinal();
    String first = document(id, List.of(mock("a"), mock("b")));
    String second = document(id, List.of(mock("a", "other"), mock("c")));
    typed.loadAndRegister(first);
    WorkflowDetails before = typed.getWorkflow(id);
    typed.loadAndRegister(second);
    WorkflowDetails now = typed.getWorkflow(id);
    assertThat(before.yaml()).isEqualTo(first);
    assertThat(now.yaml()).isEqualTo(second);
    assertThat(now.units()).containsExactly("a", "c");
    assertThat(now.current()).isTrue();
    assertThat(typed.getWorkflow(id, before.definitionHash()).yaml()).isEqualTo(first);
    assertThat(typed.getWorkflow(id, before.definitionHash()).current()).isFalse();
    assertThat(typed.listVersions(id).items())
        .extracting(WorkflowVersion::definitionHash)
        .containsExactly(now.definitionHash(), before.definitionHash());
    assertThat(typed.listVersions(id, PageOptions.defaults().limit(1)).next()).isNotNull();
    WorkflowDiff diff = typed.diffVersions(id, before.definitionHash(), now.definitionHash());
    assertThat(diff.added()).containsExactly("c");
    assertThat(diff.removed()).containsExactly("b");
    assertThat(diff.changed()).containsExactly("a");
    assertThat(diff.text()).contains("+").contains("-");
    assertThat(parsed(client.getWorkflow(id, null)).get("definitionHash").textValue()).isEqualTo(now.definitionHash());
    assertThat(catchThrowableOfType(FlowgateApiException.class, () -> typed.getWorkflow(id, "none")).status()).isEqualTo(404);
    assertThat(catchThrowableOfType(FlowgateApiException.class, () -> typed.listVersions("none")).status()).isEqualTo(404);
  }

  @Test
  void nameOriginsOfBindingsAndNoSecrets() {
    String id = "bound " + place.ordinal();
    HttpBinding binding = HttpBinding.to("http://127.0.0.1:9/path?key=hidden").header("authorization", "Bearer hidden");
    typed.loadAndRegister(document(id, List.of(remote("far"))), Map.of("acme.far", binding));
    WorkflowDetails details = typed.getWorkflow(id);
    assertThat(details.bindings())
        .containsExactly(new WorkflowDetails.BoundUses("acme.far", "http://127.0.0.1:9", List.of("authorization")));
    assertThat(details.json()).doesNotContain("hidden");
  }

  @Test
  void areCheckedByTheServiceAndNotRegistered() {
    String id = "checked " + place.ordinal();
    String document = document(id, List.of(mock("a"), remote("far")));
    ServiceValidation unbound = typed.validateOnService(document);
    assertThat(unbound.ok()).isFalse();
    assertThat(unbound.faults()).anyMatch(fault -> fault.message().contains("acme.far") && fault.line() != null);
    ServiceValidation found = typed.validateOnService(document, Map.of("acme.far", HttpBinding.to("http://127.0.0.1:9/")));
    assertThat(found.ok()).isTrue();
    assertThat(found.workflowId()).isEqualTo(id);
    assertThat(found.faults()).isEmpty();
    assertThat(parsed(client.validateOnService("kind: Wrong\n", null)).get("ok").booleanValue()).isFalse();
    assertThat(typed.health().workflows()).doesNotContain(id);
  }
}
