package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import io.flowgate.client.internal.json.JsonBody;
import io.flowgate.client.internal.json.ObjectMapping;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * How a run is forked: from where on, and with what other than it had. What is given is made JSON at once. Immutable;
 * {@link #toString()} leaves out what runs work with.
 */
public final class ForkOptions {
  private static final ForkOptions DEFAULTS = new ForkOptions(Map.of(), null, null);

  /** JSON by name. */
  private final Map<String, String> fields;

  private final String idempotencyKey;
  private final Duration timeout;

  private ForkOptions(Map<String, String> fields, String idempotencyKey, Duration timeout) {
    this.fields = fields;
    this.idempotencyKey = idempotencyKey;
    this.timeout = timeout;
  }

  /**
   * Again from the start, with all that it had.
   *
   * @return always the same
   */
  public static ForkOptions defaults() {
    return DEFAULTS;
  }

  /**
   * From a checkpoint on.
   *
   * @param given what {@link SnapshotItem#snapshotId()} names
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ForkOptions fromSnapshot(String given) {
    Arguments.id("snapshotId", given);
    return with("from", new JsonBody().text("snapshotId", given).json());
  }

  /**
   * From just before a unit was scheduled for the first time.
   *
   * @param given id of the unit
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ForkOptions fromUnit(String given) {
    Arguments.id("unitId", given);
    return with("from", new JsonBody().text("unitId", given).json());
  }

  /**
   * From just before a unit was scheduled for the n-th time.
   *
   * @param given id of the unit
   * @param occurrence which time; 1: the first
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ForkOptions fromUnit(String given, long occurrence) {
    Arguments.id("unitId", given);
    if (occurrence < 1) throw new IllegalArgumentException("occurrence must be a whole number of at least 1");
    return with("from", new JsonBody().text("unitId", given).number("occurrence", occurrence).json());
  }

  /**
   * With another input in place of the run's.
   *
   * @param given a {@code Map}, a record or a bean, which Jackson writes
   * @return new options
   * @throws IllegalArgumentException it is no object, or no JSON
   */
  public ForkOptions input(Object given) {
    return with("input", ObjectMapping.object("input", Objects.requireNonNull(given, "input must be an object")));
  }

  /**
   * With other values in the shared state.
   *
   * @param given keys that are laid over those of the state: a {@code Map}, a record or a bean, which Jackson writes
   * @return new options
   * @throws IllegalArgumentException it is no object, or no JSON
   */
  public ForkOptions state(Object given) {
    return with("state", ObjectMapping.object("state", Objects.requireNonNull(given, "state must be an object")));
  }

  /**
   * With another input for the unit that the fork begins with, in place of what its {@code with} says.
   *
   * @param given any value that Jackson writes; null is JSON's null
   * @return new options
   * @throws IllegalArgumentException it is no JSON
   */
  public ForkOptions unitInput(Object given) {
    return with("unitInput", ObjectMapping.value("unitInput", given));
  }

  /**
   * By the version of the workflow that is registered now, in place of the run's own.
   *
   * @return new options
   */
  public ForkOptions currentDefinition() {
    return with("definition", JsonBody.quoted("current"));
  }

  /**
   * With labels.
   *
   * @param given what the fork is found by later, in place of those before; the run's own are not taken over
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ForkOptions labels(Map<String, String> given) {
    Arguments.labels(given);
    return with("labels", JsonBody.ofTexts(given));
  }

  /**
   * With or without waiting for the fork.
   *
   * @param given whether to wait until it is completed, paused or failed; not said: false
   * @return new options
   */
  public ForkOptions sync(boolean given) {
    return with("sync", Boolean.toString(given));
  }

  /**
   * With an answer before the fork stops.
   *
   * @param given when {@code sync} is answered: {@code gate}, at an open gate too, or {@code stop}
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ForkOptions syncUntil(String given) {
    Arguments.syncUntil(given);
    return with("syncUntil", given == null ? null : JsonBody.quoted(given));
  }

  /**
   * Under a key of yours.
   *
   * @param given the same key with the same request is carried out once; null: one that the client makes for the call
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ForkOptions idempotencyKey(String given) {
    Arguments.key(given);
    return new ForkOptions(fields, given, timeout);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's, and none with {@code sync}
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public ForkOptions timeout(Duration given) {
    Arguments.timeout(given);
    return new ForkOptions(fields, idempotencyKey, given);
  }

  /**
   * The request that is sent.
   *
   * @return a JSON object
   */
  public String json() {
    JsonBody body = new JsonBody();
    fields.forEach(body::json);
    return body.json();
  }

  /**
   * Whether to wait until the fork is completed, paused or failed.
   *
   * @return false unless it was requested
   */
  public boolean sync() {
    return "true".equals(fields.get("sync"));
  }

  /**
   * The key of the call.
   *
   * @return null: one that the client makes
   */
  public String idempotencyKey() {
    return idempotencyKey;
  }

  /**
   * The longest that the whole call may take, all its tries together.
   *
   * @return null: the client's, and none with {@code sync}
   */
  public Duration timeout() {
    return timeout;
  }

  private ForkOptions with(String name, String json) {
    Map<String, String> more = new LinkedHashMap<>(fields);
    more.put(name, json);
    return new ForkOptions(more, idempotencyKey, timeout);
  }

  @Override
  public String toString() {
    return "ForkOptions" + fields.keySet();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ForkOptions options
        && fields.equals(options.fields)
        && Objects.equals(idempotencyKey, options.idempotencyKey)
        && Objects.equals(timeout, options.timeout);
  }

  @Override
  public int hashCode() {
    return Objects.hash(fields, idempotencyKey, timeout);
  }
}
