package io.flowgate.client.internal.document;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Words for fields from other languages, and what to write in their place. */
final class ForeignWords {
  /** Ours, most likely first. */
  private static final Map<String, List<String>> OURS =
      Map.ofEntries(
          Map.entry("name", List.of("id")),
          Map.entry("title", List.of("description")),
          Map.entry("jobs", List.of("units")),
          Map.entry("nodes", List.of("units", "executors", "order")),
          Map.entry("tasks", List.of("units", "order", "executors")),
          Map.entry("steps", List.of("units", "order", "executors", "do")),
          Map.entry("units", List.of("order", "executors", "specialists", "do")),
          Map.entry("branches", List.of("units")),
          Map.entry("run", List.of("uses")),
          Map.entry("action", List.of("uses")),
          Map.entry("type", List.of("uses")),
          Map.entry("args", List.of("with")),
          Map.entry("input", List.of("with")),
          Map.entry("inputs", List.of("with", "input")),
          Map.entry("params", List.of("with")),
          Map.entry("parameters", List.of("with")),
          Map.entry("settings", List.of("config")),
          Map.entry("when", List.of("if")),
          Map.entry("condition", List.of("if")),
          Map.entry("then", List.of("do")),
          Map.entry("body", List.of("do")),
          Map.entry("unit", List.of("do")),
          Map.entry("else", List.of("default")),
          Map.entry("otherwise", List.of("default")),
          Map.entry("branch", List.of("routes")),
          Map.entry("router", List.of("routerUnit")),
          Map.entry("in", List.of("items")),
          Map.entry("list", List.of("items")),
          Map.entry("each", List.of("items")),
          Map.entry("times", List.of("maxIterations")),
          Map.entry("retry", List.of("policyOverrides")),
          Map.entry("timeout", List.of("policyOverrides")),
          Map.entry("policy", List.of("policyOverrides")));

  /** What other languages say at a unit, and ours in the flow. */
  private static final List<String> ORDER_WORDS = List.of("needs", "depends_on", "dependson", "next", "after");

  /** What other languages say of failures, and ours with a flow. */
  private static final List<String> FAILURE_WORDS =
      List.of("onfailure", "onerror", "on_failure", "on_error", "catch", "rescue", "finally");

  private static final List<String> SCHEDULE_WORDS = List.of("schedule", "cron", "triggers", "on", "trigger");

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** What of a {@code spec} is often written beside it. */
  private static final List<String> OF_THE_SPEC = List.of("input", "policy", "entry", "units", "flow");

  private ForeignWords() {}

  /** What to write in place of a field that is not known, of those that are missing; null when nobody knows. */
  static String adviceFor(
      String field, Collection<String> known, Collection<String> missing, JsonNode owner) {
    String word = field.toLowerCase(Locale.ROOT);
    String special =
        known.contains("uses")
            ? ofUnit(word, owner, owner.path(field))
            : known.contains("flow") ? ofSpec(word) : null;
    if (special != null) return special;
    if (known.contains("spec") && OF_THE_SPEC.contains(word)) {
      return "it belongs in `spec`: indent it further than that";
    }
    String ours =
        OURS.getOrDefault(word, List.of()).stream().filter(missing::contains).findFirst().orElse(null);
    if ("policyOverrides".equals(ours) && !word.equals("policy")) {
      return "did you mean `policyOverrides: { " + word + ": … }`?";
    }
    if (ours != null) return "did you mean `" + ours + "`?";
    if (word.equals("while") && known.contains("until")) return "a loop ends by `until`, once that is true";
    return null;
  }

  /** What a {@code spec} has not, because it is said in the flow, or outside of the workflow. */
  private static String ofSpec(String word) {
    if (FAILURE_WORDS.contains(word)) {
      return "put the flow into `flow: { type: try, do: …, catch: … }`, with `finally` for what always runs";
    }
    return SCHEDULE_WORDS.contains(word)
        ? "a workflow has no schedule: have a scheduler, such as cron, start its runs"
        : null;
  }

  /** What a unit has not, because it is said in the flow, in a policy or in the settings of a gate. */
  private static String ofUnit(String word, JsonNode owner, JsonNode value) {
    JsonNode id = owner.path("id");
    String unit = id.isTextual() ? ValueWords.shortened(id.textValue()) : "the unit";
    if (FAILURE_WORDS.contains(word)) {
      return "put the unit into a flow `{ type: try, do: " + unit
          + ", catch: … }`, with `finally` for what always runs";
    }
    if (ORDER_WORDS.contains(word)) return orderAdvice(unit, word, value);
    return switch (word) {
      case "timeout" -> timeoutAdvice(owner.path("uses"), value);
      case "output", "outputs" ->
          "what it gives is always at `" + member(unit) + "`; what the run gives stands in `spec.output`";
      case "schedule", "delay" ->
          "a unit begins when the flow comes to it: put a unit of `builtin.wait` before it";
      default -> null;
    };
  }

  private static String timeoutAdvice(JsonNode uses, JsonNode value) {
    if (uses.asText().equals("builtin.approval")) {
      return "a gate has it in `config`, as in `config: { timeout: P2D }`";
    }
    String ms = TypeWords.milliseconds(value);
    return "did you mean `policyOverrides: { timeout: { unitMs: " + (ms == null ? "…" : ms) + " } }`?";
  }

  private static String orderAdvice(String unit, String word, JsonNode value) {
    if (word.equals("next")) return "what follows stands in `spec.flow`, as in `{ type: sequential, order: [a, b] }`";
    JsonNode first = value.isArray() ? value.path(0) : value;
    String before = first.isTextual() ? ValueWords.shortened(first.textValue()) : "a";
    return "what it waits for stands in `spec.flow`, as in `{ type: dag, executors: [" + before + ", " + unit
        + "], dependencies: { " + unit + ": [" + before + "] } }`";
  }

  private static String member(String unit) {
    return IDENTIFIER.matcher(unit).matches() ? "outputs." + unit : "outputs[\"" + unit + "\"]";
  }
}
