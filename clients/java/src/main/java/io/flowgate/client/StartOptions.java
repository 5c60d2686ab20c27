package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How a run is started. Immutable.
 *
 * @param sync whether to wait until the run is completed, paused or failed
 * @param labels what the run is found by later, at most 32: names of small letters, digits, {@code _ . -} that begin with a
 *     letter, values of at most 256 characters; immutable
 * @param idempotencyKey the same key with the same request is carried out once; null: one that the client makes for the call
 * @param timeout the longest that the whole call may take, all its tries together; null: the client's, and none with {@code sync}
 * @param syncUntil when {@code sync} is answered: {@code gate}, at an open gate too, then with a run that may be running; null or
 *     {@code stop}: once the run stops
 */
public record StartOptions(
    boolean sync, Map<String, String> labels, String idempotencyKey, Duration timeout, String syncUntil) {
  private static final StartOptions DEFAULTS = new StartOptions(false, Map.of(), null, null);

  /**
   * Checks what is given, and copies what could be changed.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public StartOptions {
    Arguments.labels(labels);
    labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    Arguments.key(idempotencyKey);
    Arguments.timeout(timeout);
    Arguments.syncUntil(syncUntil);
  }

  /** Options that say nothing of gates. */
  public StartOptions(boolean sync, Map<String, String> labels, String idempotencyKey, Duration timeout) {
    this(sync, labels, idempotencyKey, timeout, null);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static StartOptions defaults() {
    return DEFAULTS;
  }

  /**
   * With or without waiting for the run.
   *
   * @param given whether to wait until the run is completed, paused or failed
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public StartOptions sync(boolean given) {
    return new StartOptions(given, labels, idempotencyKey, timeout, syncUntil);
  }

  /**
   * With labels.
   *
   * @param given what the run is found by later, in place of those before
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public StartOptions labels(Map<String, String> given) {
    return new StartOptions(sync, given, idempotencyKey, timeout, syncUntil);
  }

  /**
   * Under a key of yours.
   *
   * @param given the same key with the same request is carried out once; null: one that the client makes for the call
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public StartOptions idempotencyKey(String given) {
    return new StartOptions(sync, labels, given, timeout, syncUntil);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's, and none with {@code sync}
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public StartOptions timeout(Duration given) {
    return new StartOptions(sync, labels, idempotencyKey, given, syncUntil);
  }

  /**
   * With an answer before the run stops.
   *
   * @param given when {@code sync} is answered: {@code gate}, at an open gate too; null or {@code stop}: once the run stops
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public StartOptions syncUntil(String given) {
    return new StartOptions(sync, labels, idempotencyKey, timeout, given);
  }
}
