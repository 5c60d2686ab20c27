package io.flowgate.client.internal.document;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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

  /** What of a {@code spec} is often written beside it. */
  private static final List<String> OF_THE_SPEC = List.of("input", "policy", "entry", "units", "flow");

  private ForeignWords() {}

  /** What to write in place of a field that is not known, of those that are missing; null when nobody knows. */
  static String adviceFor(String field, Collection<String> known, Collection<String> missing) {
    String word = field.toLowerCase(Locale.ROOT);
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
    return ORDER_WORDS.contains(word) && known.contains("uses")
        ? "what comes after what is said in `spec.flow`"
        : null;
  }
}
