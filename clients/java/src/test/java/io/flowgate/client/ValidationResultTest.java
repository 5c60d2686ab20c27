package io.flowgate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValidationResultTest {
  private static final DocumentFault EMPTY =
      new DocumentFault("/metadata/id", 4, 7, "metadata.id must not be empty");

  @Test
  void ofAWorkflowThatIsOkHasItsId() {
    ValidationResult result = ValidationResult.of("greeting", List.of(), null);
    assertThat(result.ok).isTrue().isEqualTo(result.ok());
    assertThat(result.workflowId).isEqualTo("greeting").isEqualTo(result.workflowId());
    assertThat(result.errors).isEmpty();
    assertThat(result.errors()).isEmpty();
    assertThat(result.faults()).isEmpty();
    assertThat(result).hasToString("ok: greeting");
  }

  @Test
  void ofAnotherHasASentenceForEachFault() {
    ValidationResult result = ValidationResult.of(null, List.of(EMPTY, EMPTY), null);
    assertThat(result.ok).isFalse();
    assertThat(result.workflowId).isNull();
    assertThat(result.errors).hasSize(2).allMatch("at 4:7: metadata.id must not be empty"::equals);
    assertThat(result.faults()).containsExactly(EMPTY, EMPTY);
  }

  @Test
  void cannotBeChanged() {
    List<DocumentFault> faults = new ArrayList<>(List.of(EMPTY));
    ValidationResult result = ValidationResult.of(null, faults, null);
    faults.clear();
    assertThat(result.faults()).hasSize(1);
    assertThatThrownBy(() -> result.errors.add("x")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> result.faults().clear()).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void saysWhatATextMayHaveBeenMeantAs() {
    assertThat(ValidationResult.of(null, List.of(EMPTY), "It was no file.").errors)
        .containsExactly("at 4:7: metadata.id must not be empty. It was no file.");
  }
}
