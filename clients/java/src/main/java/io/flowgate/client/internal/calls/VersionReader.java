package io.flowgate.client.internal.calls;

import io.flowgate.client.DocumentFault;
import io.flowgate.client.Page;
import io.flowgate.client.ServiceValidation;
import io.flowgate.client.WorkflowDetails;
import io.flowgate.client.WorkflowDiff;
import io.flowgate.client.WorkflowItem;
import io.flowgate.client.WorkflowVersion;
import io.flowgate.client.internal.json.Fields;
import java.util.List;

/** Makes records of what the service says of workflows. */
final class VersionReader {
  private VersionReader() {}

  static Page<WorkflowVersion> versions(String json) {
    return ListReader.page(
        json,
        "items",
        item ->
            new WorkflowVersion(item.text("definitionHash"), item.whole("registeredAt", 0), item.flag("current")));
  }

  static List<WorkflowItem> workflows(String json) {
    return RecordReader.fields(json).objects("items").stream().map(VersionReader::workflow).toList();
  }

  private static WorkflowItem workflow(Fields item) {
    return new WorkflowItem(
        item.text("workflowId"),
        item.text("definitionHash"),
        item.whole("registeredAt", 0),
        item.text("description"),
        item.textsByName("labels"),
        item.texts("units"),
        item.text("flowType"));
  }

  static WorkflowDetails details(String json) {
    Fields details = RecordReader.fields(json);
    Fields inputSchema = details.object("inputSchema");
    return new WorkflowDetails(
        details.text("workflowId"),
        details.text("definitionHash"),
        details.whole("registeredAt", 0),
        details.flag("current"),
        details.text("description"),
        details.textsByName("labels"),
        details.texts("units"),
        details.text("flowType"),
        details.text("yaml"),
        inputSchema == null ? null : inputSchema.all(),
        details.objects("bindings").stream().map(VersionReader::binding).toList(),
        json);
  }

  static WorkflowDiff diff(String json) {
    Fields diff = RecordReader.fields(json);
    Fields units = diff.object("units");
    return new WorkflowDiff(
        diff.text("text"), ids(units, "added"), ids(units, "removed"), ids(units, "changed"), json);
  }

  static ServiceValidation validation(String json) {
    Fields found = RecordReader.fields(json);
    return new ServiceValidation(
        found.flag("ok"),
        found.text("workflowId"),
        found.objects("details").stream().map(VersionReader::fault).toList(),
        found.texts("warnings"),
        json);
  }

  private static WorkflowDetails.BoundUses binding(Fields binding) {
    return new WorkflowDetails.BoundUses(binding.text("uses"), binding.text("origin"), binding.texts("headers"));
  }

  private static List<String> ids(Fields units, String name) {
    return units == null ? List.of() : units.texts(name);
  }

  private static DocumentFault fault(Fields fault) {
    return new DocumentFault(fault.text("path"), place(fault, "line"), place(fault, "column"), fault.text("message"));
  }

  private static Integer place(Fields fault, String name) {
    return fault.all().get(name) instanceof Integer place ? place : null;
  }
}
