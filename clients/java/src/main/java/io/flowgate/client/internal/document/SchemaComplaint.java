package io.flowgate.client.internal.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import java.util.ArrayList;
import java.util.List;

/**
 * What the schema has against a value, in words.
 *
 * @param pointer into the whole document
 * @param isAboutKey true when the fault is the name of the field, not its value
 */
record SchemaComplaint(String pointer, boolean isAboutKey, String message) {
  /** {@code keyword}'s own schema is {@code rule}: the object that holds the keyword. */
  static SchemaComplaint of(Error error, JsonNode rule, boolean isExpression, String pointer) {
    String name = error.getProperty();
    JsonNode limit = rule.path(error.getKeyword());
    JsonNode value = error.getInstanceNode();
    return switch (error.getKeyword()) {
      case "required" -> required(rule, pointer, name);
      case "additionalProperties" -> unknownField(rule, value, pointer, name);
      case "propertyNames" -> {
        String child = JsonPointers.child(pointer, name);
        yield about(child, true, "has a name that " + nameRequirement(limit, name));
      }
      case "type" -> about(pointer, false, TypeWords.requirement(limit, value, pointer, isExpression));
      case "enum" -> about(pointer, false, enumRequirement(limit, value));
      case "const" ->
          about(pointer, false, "must be `" + limit.asText() + "`, not " + ValueWords.described(value));
      case "minimum" -> about(pointer, false, "must be at least " + bound(limit, value));
      case "maximum" -> about(pointer, false, "must be at most " + bound(limit, value));
      default -> about(pointer, false, otherRequirement(error.getKeyword(), rule));
    };
  }

  private static SchemaComplaint about(String pointer, boolean isAboutKey, String text) {
    return new SchemaComplaint(pointer, isAboutKey, JsonPointers.readable(pointer) + " " + text);
  }

  private static SchemaComplaint required(JsonNode rule, String pointer, String name) {
    String comment = commentOf(rule);
    return comment == null
        ? about(JsonPointers.child(pointer, name), false, "is required")
        : about(pointer, false, comment);
  }

  private static SchemaComplaint unknownField(JsonNode rule, JsonNode owner, String pointer, String name) {
    List<String> known = new ArrayList<>();
    rule.path("properties").fieldNames().forEachRemaining(known::add);
    List<String> missing = known.stream().filter(field -> !owner.has(field)).toList();
    String message =
        JsonPointers.readable(pointer) + " has an unknown field `" + ValueWords.shortened(name) + "`: ";
    return new SchemaComplaint(
        JsonPointers.child(pointer, name), true, message + adviceFor(name, known, missing, owner));
  }

  private static String adviceFor(
      String name, List<String> known, List<String> missing, JsonNode owner) {
    String near = NearNames.nearest(name, known);
    if (near != null) return "did you mean `" + near + "`?";
    String advice = ForeignWords.adviceFor(name, known, missing, owner);
    return advice == null ? "it may have `" + String.join("`, `", known) + "`" : advice;
  }

  private static String nameRequirement(JsonNode rule, String name) {
    String comment = commentOf(rule);
    if (comment != null) return comment;
    return name.isEmpty() ? "must not be empty" : otherRequirement("maxLength", rule);
  }

  private static String enumRequirement(JsonNode allowed, JsonNode value) {
    List<String> names = new ArrayList<>();
    allowed.forEach(one -> names.add(one.asText()));
    String near = value.isTextual() ? NearNames.nearest(value.textValue(), names) : null;
    return "must be one of `" + String.join("`, `", names) + "`, not " + ValueWords.described(value)
        + (near == null ? "" : ": did you mean `" + near + "`?");
  }

  private static String bound(JsonNode limit, JsonNode value) {
    return limit.asText() + ", not " + ValueWords.described(value);
  }

  private static String otherRequirement(String keyword, JsonNode rule) {
    int limit = rule.path(keyword).asInt();
    return switch (keyword) {
      case "pattern", "not" -> commentOf(rule) == null ? "is not allowed here" : commentOf(rule);
      case "minLength" -> limit == 1 ? "must not be empty" : "must have at least " + limit + " characters";
      case "maxLength" -> "must have at most " + limit + " characters";
      case "minItems", "minProperties" ->
          limit == 1 ? "must have at least one entry" : "must have at least " + limit + " entries";
      case "maxItems", "maxProperties" -> "must have at most " + limit + " entries";
      default -> "is not what the language takes here (" + keyword + "): see the schema of workflows";
    };
  }

  /** The schema's own words: where a keyword needs them, its schema has a {@code $comment}. */
  private static String commentOf(JsonNode rule) {
    return rule.path("$comment").isTextual() ? rule.path("$comment").textValue() : null;
  }
}
