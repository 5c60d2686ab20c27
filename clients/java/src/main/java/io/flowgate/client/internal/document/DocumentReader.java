package io.flowgate.client.internal.document;

import com.fasterxml.jackson.databind.JsonNode;
import io.flowgate.client.DocumentFault;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Reads a workflow as far as its text goes, and finds the faults that the service finds, at the same places. In this
 * order: the text ({@link YamlReader}), its value ({@link YamlValues}), the schema ({@link SchemaFaults}) and the group
 * ({@link ApiVersions}). Never throws, whatever the text; works in memory alone; may be used by many threads.
 */
public final class DocumentReader {
  private static final Comparator<DocumentFault> ORDER_OF_TEXT =
      Comparator.comparing(DocumentFault::line).thenComparing(DocumentFault::column);

  private DocumentReader() {}

  /**
   * Reads one document.
   *
   * @param text YAML; may begin with a byte-order mark
   * @param apiGroups groups that {@code apiVersion} may name ({@code flowgate} for {@code flowgate/v1})
   */
  public static DocumentReading read(String text, List<String> apiGroups) {
    SourceText source = new SourceText(text);
    YamlReader.Result syntax = YamlReader.read(source);
    if (!syntax.faults().isEmpty()) return refusal(DocumentReading.Stage.YAML, syntax.faults());
    YamlValues.Result values = YamlValues.of(source, syntax.root());
    if (!values.faults().isEmpty()) return refusal(DocumentReading.Stage.YAML, values.faults());
    PositionIndex positions = new PositionIndex(source, syntax.root(), values.aliasTargets());
    List<DocumentFault> faults = faultsOf(values.value(), apiGroups, positions);
    if (!faults.isEmpty()) return refusal(DocumentReading.Stage.SCHEMA, faults);
    return new DocumentReading(values.value().path("metadata").path("id").textValue(), null, List.of());
  }

  private static List<DocumentFault> faultsOf(JsonNode value, List<String> apiGroups, PositionIndex positions) {
    List<DocumentFault> broken = SchemaFaults.of(value, positions);
    DocumentFault version = ApiVersions.faultOf(value, apiGroups, positions);
    if (version == null) return broken;
    List<DocumentFault> faults = new ArrayList<>(List.of(version));
    broken.stream().filter(fault -> !fault.path().equals(ApiVersions.POINTER)).forEach(faults::add);
    return faults;
  }

  private static DocumentReading refusal(DocumentReading.Stage stage, List<DocumentFault> faults) {
    return new DocumentReading(
        null, stage, faults.stream().sorted(ORDER_OF_TEXT).limit(YamlBounds.MAX_FAULTS).toList());
  }
}
