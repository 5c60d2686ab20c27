package io.flowgate.client.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Workflow documents for tests; JSON is YAML. */
final class Documents {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Documents() {}

  /** The units one after the other. */
  static String document(String id, List<Map<String, Object>> units) {
    return document(id, units, Map.of());
  }

  /** {@code spec} is added to what the document's has, and wins. */
  static String document(String id, List<Map<String, Object>> units, Map<String, Object> spec) {
    Map<String, Object> whole = new LinkedHashMap<>();
    whole.put("units", units);
    whole.put("flow", Map.of("type", "sequential", "order", units.stream().map(unit -> unit.get("id")).toList()));
    whole.putAll(spec);
    return json(Map.of("apiVersion", "flowgate/v1", "kind", "Workflow", "metadata", Map.of("id", id), "spec", whole));
  }

  static Map<String, Object> mock(String id) {
    return mock(id, id + " done");
  }

  static Map<String, Object> mock(String id, Object response) {
    return Map.of("id", id, "uses", "builtin.mock", "config", Map.of("response", response));
  }

  static Map<String, Object> gate(String id) {
    return Map.of("id", id, "uses", "builtin.approval", "config", Map.of("title", "May " + id + " pass?"));
  }

  /** One that a server answers for, see {@link #bound}. */
  static Map<String, Object> remote(String id) {
    return Map.of("id", id, "uses", "acme." + id);
  }

  /** Bindings for {@link #remote}. */
  static String bound(String id, String endpoint) {
    return json(Map.of("acme." + id, Map.of("type", "http", "endpoint", endpoint)));
  }

  static String json(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalArgumentException(impossible);
    }
  }

  static JsonNode parsed(String json) {
    try {
      return MAPPER.readTree(json);
    } catch (JsonProcessingException failure) {
      throw new AssertionError("No JSON: " + json, failure);
    }
  }
}
