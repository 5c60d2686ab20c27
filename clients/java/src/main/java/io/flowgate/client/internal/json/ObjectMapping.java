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
    return input == null ? "{}" : object("input", input);
  }

  /** The JSON of an object. Throws an {@code IllegalArgumentException} that names it so. */
  public static String object(String name, Object given) {
    return json(name, given, true);
  }

  /** The JSON of any value. Throws an {@code IllegalArgumentException} that names it so. */
  public static String value(String name, Object given) {
    return given == null ? "null" : json(name, given, false);
  }

  private static String json(String name, Object given, boolean isObject) {
    try {
      JsonNode tree = Mapper.MAPPER.valueToTree(given);
      if (isObject && (tree == null || !tree.isObject())) {
        throw new IllegalArgumentException(
            name + " must be an object (a Map, a record or a bean): its keys are keys of the shared state");
      }
      refuseLosses(name, name, tree);
      return Mapper.MAPPER.writeValueAsString(tree);
    } catch (JsonProcessingException | StackOverflowError fault) {
      throw noJson(name, fault);
    } catch (IllegalArgumentException fault) {
      throw fault.getCause() instanceof JsonProcessingException ? noJson(name, fault) : fault;
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

  private static IllegalArgumentException noJson(String name, Throwable fault) {
    return new IllegalArgumentException(
        name + " cannot be sent as JSON: it refers to itself, or holds what is no data, or its package is not open to "
            + "com.fasterxml.jackson.databind",
        fault);
  }

  /** Jackson would send them as texts. */
  private static void refuseLosses(String given, String name, JsonNode node) {
    if (node.isFloatingPointNumber() && !node.isBigDecimal() && !Double.isFinite(node.doubleValue())) {
      throw new IllegalArgumentException(given + " cannot be sent as JSON: " + name + " is " + node.asText());
    }
    if (node.isArray()) for (JsonNode item : node) refuseLosses(given, name, item);
    for (Map.Entry<String, JsonNode> field : node.properties()) refuseLosses(given, field.getKey(), field.getValue());
  }
}
