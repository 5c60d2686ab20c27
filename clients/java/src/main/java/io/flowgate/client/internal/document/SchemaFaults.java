package io.flowgate.client.internal.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;
import io.flowgate.client.DocumentFault;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What the schema of the language has against a value, at most 100 faults. Units and flows may nest to any depth. */
final class SchemaFaults {
  /** Keywords that only pass on what another error says better. */
  private static final Set<String> SILENT = Set.of("if", "then", "else", "allOf", "$ref");

  private record Task(WorkflowSchema.Piece piece, String pointer, JsonNode value) {}

  private SchemaFaults() {}

  static List<DocumentFault> of(JsonNode value, PositionIndex positions) {
    WorkflowSchema schema = WorkflowSchema.instance();
    List<DocumentFault> faults = new ArrayList<>();
    Set<String> told = new HashSet<>();
    Deque<Task> tasks = new ArrayDeque<>();
    tasks.add(new Task(WorkflowSchema.Piece.DOCUMENT, "", value));
    while (!tasks.isEmpty()) {
      Task task = tasks.remove();
      WorkflowSchema.Checked checked = schema.check(task.piece, task.value);
      for (Error error : checked.errors()) {
        if (SILENT.contains(error.getKeyword())) continue;
        SchemaComplaint complaint =
            SchemaComplaint.of(
                error,
                schema.ruleOf(task.piece, error),
                WorkflowSchema.isAboutExpression(error),
                pointer(task.pointer, error.getInstanceLocation()));
        // The names of a map are checked one by one, and each rule that one breaks says so for itself.
        if (!told.add(complaint.pointer() + ' ' + complaint.message())) continue;
        faults.add(faultOf(complaint, positions));
        if (faults.size() == YamlBounds.MAX_FAULTS) return faults;
      }
      for (WorkflowSchema.Opening opening : checked.openings()) {
        tasks.add(new Task(opening.piece(), pointer(task.pointer, opening.path()), opening.value()));
      }
    }
    return faults;
  }

  private static DocumentFault faultOf(SchemaComplaint complaint, PositionIndex positions) {
    String pointer = complaint.pointer();
    Place place = complaint.isAboutKey() ? positions.keyAt(pointer) : positions.at(pointer);
    return new DocumentFault(pointer, place.line(), place.column(), complaint.message());
  }

  private static String pointer(String start, NodePath path) {
    String pointer = start;
    for (int at = 0; at < path.getNameCount(); at++) {
      pointer =
          path.getElement(at) instanceof Integer index
              ? JsonPointers.child(pointer, index)
              : JsonPointers.child(pointer, path.getName(at));
    }
    return pointer;
  }
}
