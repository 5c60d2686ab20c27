package io.flowgate.client.internal.calls;

import io.flowgate.client.internal.http.Question;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What all operations have in common: where the service is, and how it is asked.
 *
 * @param tries asks it
 * @param timeout of a call that names none
 */
record Service(Tries tries, Duration timeout) {
  URI address(Map<String, List<String>> query, String... segments) {
    return tries.exchange().address().of(List.of(segments), query);
  }

  URI ofWorkflow(Map<String, List<String>> query, String workflowId, String... rest) {
    Arguments.id("workflowId", workflowId);
    return address(query, joined(new String[] {"workflows", workflowId}, rest));
  }

  URI ofRun(Map<String, List<String>> query, String workflowId, String runId, String... rest) {
    Arguments.run(workflowId, runId);
    return address(query, joined(new String[] {"workflows", workflowId, "runs", runId}, rest));
  }

  Duration bound(Duration ofTheCall) {
    return ofTheCall == null ? timeout : ofTheCall;
  }

  <T> Operation<T> read(
      URI address, Duration ofTheCall, Predicate<Map<String, Object>> isAnswer, Function<String, T> reader) {
    Question question = Question.get(address, isAnswer, Set.of());
    return new Ask<>(tries, bound(ofTheCall), () -> question, reader);
  }

  /** One key for the whole call, so that the service carries it out once however often it is tried. */
  static String key(String given) {
    return given == null ? UUID.randomUUID().toString().replace("-", "") : given;
  }

  private static String[] joined(String[] first, String[] rest) {
    String[] all = Arrays.copyOf(first, first.length + rest.length);
    System.arraycopy(rest, 0, all, first.length, rest.length);
    return all;
  }
}
