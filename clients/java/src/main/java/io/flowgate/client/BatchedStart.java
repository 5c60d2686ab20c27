package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import io.flowgate.client.internal.json.CallerJson;
import io.flowgate.client.internal.json.ObjectMapping;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One run of a batch. Immutable. {@link #toString()} leaves out what the run works with.
 *
 * @param inputJson the first keys of the shared state: a JSON object, sent byte for byte; null is an empty object
 * @param labels what the run is found by later, as in {@link StartOptions}; immutable
 * @param idempotencyKey the same key with the same start is carried out once, in a batch or by itself; null: one that the
 *     client makes for the call
 */
public record BatchedStart(String inputJson, Map<String, String> labels, String idempotencyKey) {
  /**
   * Checks what is given, and copies what could be changed.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public BatchedStart {
    inputJson = CallerJson.input(inputJson);
    Arguments.labels(labels);
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    Arguments.key(idempotencyKey);
  }

  /**
   * A run with this input.
   *
   * @param input the first keys of the shared state: a {@code Map}, a record or a bean, which Jackson writes; null is an empty object
   * @return a start without labels and without a key of yours
   * @throws IllegalArgumentException it cannot be meant
   */
  public static BatchedStart of(Object input) {
    return ofJson(ObjectMapping.input(input));
  }

  /**
   * A run with this input.
   *
   * @param inputJson the first keys of the shared state: a JSON object, sent byte for byte; null is an empty object
   * @return a start without labels and without a key of yours
   * @throws IllegalArgumentException it cannot be meant
   */
  public static BatchedStart ofJson(String inputJson) {
    return new BatchedStart(inputJson, Map.of(), null);
  }

  /**
   * With labels.
   *
   * @param given what the run is found by later, in place of those before
   * @return a new start
   * @throws IllegalArgumentException it cannot be meant
   */
  public BatchedStart labels(Map<String, String> given) {
    return new BatchedStart(inputJson, given, idempotencyKey);
  }

  /**
   * Under a key of yours.
   *
   * @param given the same key with the same start is carried out once; null: one that the client makes for the call
   * @return a new start
   * @throws IllegalArgumentException it cannot be meant
   */
  public BatchedStart idempotencyKey(String given) {
    return new BatchedStart(inputJson, labels, given);
  }

  @Override
  public String toString() {
    return "BatchedStart[labels=" + labels + ", idempotencyKey=" + idempotencyKey + "]";
  }
}
