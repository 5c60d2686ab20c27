package io.flowgate.client.internal.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.flowgate.client.FlowgateException;
import java.util.Map;

/** Objects of the caller's, to JSON and back. Modules of Jackson that lie about, such as that of java.time, are used. */
public final class ObjectMapping {
  private ObjectMapping() {}

  /** Made when it is first needed: looking for modules takes its time. */
  private static final class Mapper {
    static final JsonMapper MAPPER =
        JsonMapper.builder(JsonBounds.factory())
            .findAndAddModules()
            // What is public and exported needs not be open.
            .disable(MapperFeature.OVERRIDE_PUBLIC_ACCESS_MODIFIERS)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
  }

  /** The JSON object that an input is; null is an empty one. Throws an {@code IllegalArgumentException}. */
  public static String input(Object input) {
    if (input == null) return "{}";
    try {
      JsonNode tree = Mapper.MAPPER.valueToTree(input);
      if (tree == null || !tree.isObject()) {
        throw new IllegalArgumentException(
            "input must be an object (a Map, a record or a bean): its keys are the first keys of the shared state");
      }
      refuseLosses("input", tree);
      return Mapper.MAPPER.writeValueAsString(tree);
    } catch (JsonProcessingException | StackOverflowError fault) {
      throw noJson(fault);
    } catch (IllegalArgumentException fault) {
      throw fault.getCause() instanceof JsonProcessingException ? noJson(fault) : fault;
    }
  }

  /** Throws a {@code FlowgateException}. */
  public static <T> T stateAs(Map<String, Object> state, Class<T> type) {
    try {
      return Mapper.MAPPER.convertValue(state, type);
    } catch (IllegalArgumentException fault) {
      throw new FlowgateException(
          "The run's state is no " + type.getName() + ": the cause says what does not fit. On the module path its package "
              + "must be open to com.fasterxml.jackson.databind",
          fault);
    }
  }

  private static IllegalArgumentException noJson(Throwable fault) {
    return new IllegalArgumentException(
        "input cannot be sent as JSON: it refers to itself, or holds what is no data, or its package is not open to "
            + "com.fasterxml.jackson.databind",
        fault);
  }

  /** Jackson would send them as texts. */
  private static void refuseLosses(String name, JsonNode node) {
    if (node.isFloatingPointNumber() && !node.isBigDecimal() && !Double.isFinite(node.doubleValue())) {
      throw new IllegalArgumentException("input cannot be sent as JSON: " + name + " is " + node.asText());
    }
    if (node.isArray()) for (JsonNode item : node) refuseLosses(name, item);
    for (Map.Entry<String, JsonNode> field : node.properties()) refuseLosses(field.getKey(), field.getValue());
  }
}
