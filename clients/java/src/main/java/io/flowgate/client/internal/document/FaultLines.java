package io.flowgate.client.internal.document;

import io.flowgate.client.DocumentFault;
import java.util.ArrayList;
import java.util.List;

/** Faults as sentences, one a line: {@code at 12:5: spec.units[2].uses is required}. */
public final class FaultLines {
  /** More lines than this are no message any more. */
  private static final int MAX_LINES = 20;

  private FaultLines() {}

  /**
   * One line for each fault.
   *
   * @param hint stands at the end of the first; null for none
   * @return an immutable list
   */
  public static List<String> of(List<DocumentFault> faults, String hint) {
    List<String> lines = new ArrayList<>();
    for (DocumentFault fault : faults) {
      String line = lineOf(fault);
      boolean isLastOfSentence = hint != null && lines.isEmpty();
      lines.add(isLastOfSentence ? line + ending(line) + " " + hint : line);
    }
    return List.copyOf(lines);
  }

  /**
   * What a refusal of these faults says, in the words of the service: {@code The workflow is not valid at 12:5: …} of
   * one; of several, a line that says so and one for each, as far as the twentieth.
   */
  public static String sentence(List<DocumentFault> faults) {
    if (faults.size() == 1) {
      String line = lineOf(faults.get(0));
      return "The workflow is not valid" + (faults.get(0).line() == null ? ": " : " ") + line + ending(line);
    }
    List<String> lines = new ArrayList<>(List.of("The workflow is not valid:"));
    faults.stream().limit(MAX_LINES).map(FaultLines::lineOf).forEach(lines::add);
    if (faults.size() > MAX_LINES) lines.add("and " + (faults.size() - MAX_LINES) + " more in faults()");
    return String.join("\n", lines);
  }

  private static String lineOf(DocumentFault fault) {
    String message = fault.message().replaceAll("\\s*[\\n\\r\\u2028\\u2029]\\s*", " ");
    return fault.line() == null ? message : "at " + fault.line() + ":" + fault.column() + ": " + message;
  }

  private static String ending(String line) {
    return line.endsWith("?") || line.endsWith(".") ? "" : ".";
  }
}
