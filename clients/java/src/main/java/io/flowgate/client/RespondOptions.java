package io.flowgate.client;

import io.flowgate.client.internal.calls.Arguments;
import java.time.Duration;

/**
 * What goes with a decision at a gate. Immutable.
 *
 * @param responder who decides, 1 to 256 characters; null: the service's {@code user}
 * @param gateId which gate, when several are open, at least 1; null: the only one
 * @param comment kept with the decision, at most 10,000 characters; may be null
 * @param idempotencyKey the same key with the same request is carried out once; null: one that the client makes for the call
 * @param timeout the longest that the whole call may take, all its tries together; null: the client's
 * @param syncUntil when it is answered: {@code gate}, at an open gate too, then with a run that may be running; {@code recorded},
 *     once it is stored; null or {@code stop}: once the run stops, or after half a minute
 */
public record RespondOptions(
    String responder, Long gateId, String comment, String idempotencyKey, Duration timeout, String syncUntil) {
  private static final RespondOptions DEFAULTS = new RespondOptions(null, null, null, null, null);

  /**
   * Checks what is given.
   *
   * @throws IllegalArgumentException a value cannot be meant
   */
  public RespondOptions {
    Arguments.name("responder", responder);
    Arguments.gateId(gateId);
    Arguments.comment(comment);
    Arguments.key(idempotencyKey);
    Arguments.timeout(timeout);
    Arguments.answeredOnce(syncUntil);
  }

  /** Options that say nothing of when it is answered. */
  public RespondOptions(
      String responder, Long gateId, String comment, String idempotencyKey, Duration timeout) {
    this(responder, gateId, comment, idempotencyKey, timeout, null);
  }

  /**
   * What holds where nothing is said.
   *
   * @return always the same
   */
  public static RespondOptions defaults() {
    return DEFAULTS;
  }

  /**
   * In somebody's name.
   *
   * @param given who decides, 1 to 256 characters; null: the service's {@code user}
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public RespondOptions responder(String given) {
    return new RespondOptions(given, gateId, comment, idempotencyKey, timeout, syncUntil);
  }

  /**
   * At one of several gates.
   *
   * @param given which gate, when several are open, at least 1; null: the only one
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public RespondOptions gateId(long given) {
    return new RespondOptions(responder, given, comment, idempotencyKey, timeout, syncUntil);
  }

  /**
   * With a comment.
   *
   * @param given kept with the decision, at most 10,000 characters; may be null
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public RespondOptions comment(String given) {
    return new RespondOptions(responder, gateId, given, idempotencyKey, timeout, syncUntil);
  }

  /**
   * Under a key of yours.
   *
   * @param given the same key with the same request is carried out once; null: one that the client makes for the call
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public RespondOptions idempotencyKey(String given) {
    return new RespondOptions(responder, gateId, comment, given, timeout, syncUntil);
  }

  /**
   * With a time for the whole call.
   *
   * @param given the longest that the whole call may take, all its tries together; null: the client's
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public RespondOptions timeout(Duration given) {
    return new RespondOptions(responder, gateId, comment, idempotencyKey, given, syncUntil);
  }

  /**
   * With an answer before the run stops.
   *
   * @param given when it is answered: {@code gate}, at an open gate too; {@code recorded}, once it is stored; null or {@code
   *     stop}: once the run stops
   * @return new options
   * @throws IllegalArgumentException it cannot be meant
   */
  public RespondOptions syncUntil(String given) {
    return new RespondOptions(responder, gateId, comment, idempotencyKey, timeout, given);
  }
}
