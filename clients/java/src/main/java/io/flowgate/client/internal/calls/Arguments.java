package io.flowgate.client.internal.calls;

import io.flowgate.client.BatchedStart;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** What cannot be meant is refused before anybody is asked, with a sentence that says what to send. */
public final class Arguments {
  private static final int MAX_TOP_K = 100;
  private static final int MAX_BATCHED_STARTS = 1_000;
  private static final int MAX_NAME_CHARS = 256;
  private static final double MAX_COST = 1e15;
  private static final long MAX_TOKENS = 9_007_199_254_740_991L;
  private static final int MAX_COMMENT_CHARS = 10_000;

  /** Also what headers can carry. */
  private static final Pattern KEY = Pattern.compile("[\\x20-\\x7E]{1,256}");

  private static final Pattern NAMESPACE = Pattern.compile("[a-z][a-z0-9-]{0,62}");

  private Arguments() {}

  public static void id(String name, String id) {
    Objects.requireNonNull(id, () -> name + " must be a text that is not empty");
    if (id.isEmpty()) throw new IllegalArgumentException(name + " must be a text that is not empty");
    if (holdsHalfACharacter(id)) {
      throw new IllegalArgumentException(name + " holds half of a character: send it whole");
    }
  }

  public static void run(String workflowId, String runId) {
    id("workflowId", workflowId);
    id("runId", runId);
  }

  /** Gives it back. */
  public static String namespace(String namespace) {
    Objects.requireNonNull(namespace, "namespace must be a text; leave it out for none");
    if (!NAMESPACE.matcher(namespace).matches()) {
      throw new IllegalArgumentException(
          "namespace must be a lower-case letter, then up to 62 lower-case letters, digits or dashes");
    }
    return namespace;
  }

  /** Where to go on; may be null. */
  public static void cursor(String field, String cursor) {
    if (cursor != null && holdsHalfACharacter(cursor)) {
      throw new IllegalArgumentException(field + " holds half of a character: send it whole");
    }
  }

  /** Of somebody, for audit; may be null. */
  public static void name(String field, String name) {
    if (name != null && (name.isEmpty() || name.length() > MAX_NAME_CHARS)) {
      throw new IllegalArgumentException(field + " must be a text of 1 to 256 characters, or null");
    }
  }

  /** Each may be null. */
  public static void budget(Long maxTokens, Double maxCost) {
    if (maxTokens != null && (maxTokens < 0 || maxTokens > MAX_TOKENS)) {
      throw new IllegalArgumentException("maxTokens must be a whole number from 0 to " + MAX_TOKENS);
    }
    if (maxCost != null && !(maxCost >= 0 && maxCost <= MAX_COST)) {
      throw new IllegalArgumentException("maxCost must be a number from 0 to 1000000000000000");
    }
  }

  public static void comment(String comment) {
    if (comment != null && comment.length() > MAX_COMMENT_CHARS) {
      throw new IllegalArgumentException("comment must have at most 10,000 characters");
    }
  }

  /** May be null. */
  public static void syncUntil(String until) {
    if (until != null && !until.equals("stop") && !until.equals("gate")) {
      throw new IllegalArgumentException("syncUntil must be stop or gate, or null");
    }
  }

  /** May be null. */
  public static void answeredOnce(String until) {
    if (!"recorded".equals(until) && until != null && !until.equals("stop") && !until.equals("gate")) {
      throw new IllegalArgumentException("syncUntil must be stop, gate or recorded, or null");
    }
  }

  public static void gateId(Long gateId) {
    if (gateId != null && gateId < 1) throw new IllegalArgumentException("gateId must be a whole number of at least 1");
  }

  public static void limit(Integer limit) {
    if (limit != null && limit < 1) throw new IllegalArgumentException("limit must be a whole number of at least 1");
  }

  /** May be null. */
  public static void seq(String field, Long seq) {
    if (seq != null && seq < 0) throw new IllegalArgumentException(field + " must be a whole number of at least 0");
  }

  /** Each may be null. */
  public static void tail(Integer tail, Long afterSeq) {
    if (tail != null && tail < 1) throw new IllegalArgumentException("tail must be a whole number of at least 1");
    if (tail != null && afterSeq != null) {
      throw new IllegalArgumentException("tail is in place of afterSeq: give one of them");
    }
  }

  /** Of a run: its names are checked by the service, and none of its parts is null. */
  public static void labels(Map<String, String> labels) {
    Objects.requireNonNull(labels, "labels must be a map; Map.of() for none");
    labels.forEach(
        (name, value) -> {
          Objects.requireNonNull(name, "labels: a name is null");
          Objects.requireNonNull(value, () -> "labels: the value of " + name + " is null");
        });
  }

  /** What stands in each of them is checked where it is made. */
  public static void batch(List<BatchedStart> runs) {
    Objects.requireNonNull(runs, "runs must be a list of starts");
    if (runs.isEmpty() || runs.size() > MAX_BATCHED_STARTS) {
      throw new IllegalArgumentException("runs must be a list of 1 to 1000 starts: split a longer one");
    }
    for (BatchedStart run : runs) Objects.requireNonNull(run, "runs: a start is null");
  }

  /** Of a parameter of an address. */
  public static String text(String field, String text) {
    Objects.requireNonNull(text, () -> field + " must be a text");
    if (holdsHalfACharacter(text)) throw new IllegalArgumentException(field + " holds half of a character: send it whole");
    return text;
  }

  public static void positive(String field, Duration time) {
    if (time.isNegative() || time.isZero()) throw new IllegalArgumentException(field + " must be more than 0");
  }

  public static void key(String key) {
    if (key != null && !KEY.matcher(key).matches()) {
      throw new IllegalArgumentException("idempotencyKey must be 1 to 256 printable ASCII characters");
    }
  }

  public static void timeout(Duration timeout) {
    if (timeout != null && (timeout.isNegative() || timeout.isZero())) {
      throw new IllegalArgumentException("timeout must be more than 0; ChronoUnit.FOREVER.getDuration() is no bound");
    }
  }

  public static void query(String query) {
    Objects.requireNonNull(query, "query must be a text");
    if (holdsHalfACharacter(query)) throw new IllegalArgumentException("query holds half of a character: send it whole");
  }

  /** More than 100 are limited to them, as the service does. */
  public static int checkedTopK(int topK) {
    if (topK < 1) throw new IllegalArgumentException("topK must be a whole number of at least 1");
    return Math.min(topK, MAX_TOP_K);
  }

  /** A surrogate without its other half: no UTF-8 and no address can hold it. */
  private static boolean holdsHalfACharacter(String text) {
    for (int at = 0; at < text.length(); at++) {
      if (!Character.isSurrogate(text.charAt(at))) continue;
      if (at + 1 == text.length() || !Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1))) return true;
      at++;
    }
    return false;
  }
}
