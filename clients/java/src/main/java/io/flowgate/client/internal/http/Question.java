package io.flowgate.client.internal.http;

import io.flowgate.client.internal.json.JsonFault;
import io.flowgate.client.internal.json.JsonText;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What is asked of the service.
 *
 * @param method {@code GET}, {@code POST} or {@code DELETE}
 * @param headers of the client; they win over the caller's
 * @param body of a POST; else null
 * @param isAnswer whether a text is one of the answers that were asked for
 * @param alsoAnswers statuses beyond 2xx whose body is an answer
 * @param codeOnceDone of what changes something and has no key: the code of the refusal where it has been carried out already; else
 *     null
 */
public record Question(
    URI address,
    String method,
    Map<String, String> headers,
    byte[] body,
    AnswerCheck isAnswer,
    Set<Integer> alsoAnswers,
    String codeOnceDone) {
  private static final String GET = "GET";
  private static final String JSON = "application/json";
  private static final String LINES_OF_JSON = "application/x-ndjson";

  /** Whether a text is an answer; throws where it is no JSON. */
  @FunctionalInterface
  public interface AnswerCheck {
    boolean test(String text) throws JsonFault;
  }

  /** Without key and body. {@code isAnswer} is told what stands directly in the answer. */
  public static Question get(URI address, Predicate<Map<String, Object>> isAnswer, Set<Integer> alsoAnswers) {
    return new Question(address, GET, Map.of("accept", JSON), null, ofJson(isAnswer), alsoAnswers, null);
  }

  /** For an answer without a body. */
  public static Question delete(URI address, String codeOnceDone) {
    return new Question(address, "DELETE", Map.of("accept", JSON), null, String::isEmpty, Set.of(), codeOnceDone);
  }

  /** Without a body, for an answer without one. */
  public static Question post(URI address) {
    return new Question(address, "POST", Map.of("accept", JSON), null, String::isEmpty, Set.of(), null);
  }

  /** For an answer of many lines, each of JSON. */
  public static Question getLines(URI address, AnswerCheck isAnswer) {
    return new Question(address, GET, Map.of("accept", LINES_OF_JSON), null, isAnswer, Set.of(), null);
  }

  /** {@code idempotencyKey} may be null. */
  public static Question post(URI address, byte[] body, String idempotencyKey, Predicate<Map<String, Object>> isAnswer) {
    return post(address, body, JSON, idempotencyKey, null, isAnswer);
  }

  /** Lines of JSON, without a key. */
  public static Question postLines(
      URI address, byte[] body, String codeOnceDone, Predicate<Map<String, Object>> isAnswer) {
    return post(address, body, LINES_OF_JSON, null, codeOnceDone, isAnswer);
  }

  /** For a stream of events behind {@code lastEventId}, which may be null. */
  public static Question stream(URI address, String lastEventId) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("accept", "text/event-stream");
    headers.put("cache-control", "no-store");
    if (lastEventId != null) headers.put("last-event-id", lastEventId);
    return new Question(address, GET, headers, null, text -> false, Set.of(), null);
  }

  private static Question post(
      URI address,
      byte[] body,
      String contentType,
      String idempotencyKey,
      String codeOnceDone,
      Predicate<Map<String, Object>> isAnswer) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("accept", JSON);
    headers.put("content-type", contentType);
    if (idempotencyKey != null) headers.put("idempotency-key", idempotencyKey);
    return new Question(address, "POST", headers, body, ofJson(isAnswer), Set.of(), codeOnceDone);
  }

  private static AnswerCheck ofJson(Predicate<Map<String, Object>> isAnswer) {
    return text -> isAnswer.test(JsonText.surface(text));
  }
}
