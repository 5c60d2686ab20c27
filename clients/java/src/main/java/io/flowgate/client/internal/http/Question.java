package io.flowgate.client.internal.http;

import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What is asked of the service.
 *
 * @param body JSON; with one it is a POST; may be null
 * @param idempotencyKey may be null
 * @param isAnswer whether an answer is one of those that were asked for, by what stands directly in it
 * @param alsoAnswers statuses beyond 2xx whose body is an answer
 */
public record Question(
    URI address,
    byte[] body,
    String idempotencyKey,
    Predicate<Map<String, Object>> isAnswer,
    Set<Integer> alsoAnswers) {
  /** Without key and body. */
  public static Question get(URI address, Predicate<Map<String, Object>> isAnswer, Set<Integer> alsoAnswers) {
    return new Question(address, null, null, isAnswer, alsoAnswers);
  }

  public static Question post(URI address, byte[] body, String idempotencyKey, Predicate<Map<String, Object>> isAnswer) {
    return new Question(address, body, idempotencyKey, isAnswer, Set.of());
  }
}
