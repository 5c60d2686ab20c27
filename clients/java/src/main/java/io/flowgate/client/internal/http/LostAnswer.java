package io.flowgate.client.internal.http;

import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.FlowgateUnreachableException;
import java.util.Set;

/**
 * Answers that were lost on their way. What changes something and has no key is then refused at the next try although all is done, and
 * nobody can know: the refusal is told with the doubt.
 */
public final class LostAnswer {
  /** Of proxies that sent the request on, and lost the answer. Whoever answers 429 or 503 has not begun. */
  private static final Set<Integer> LOST_ON_THE_WAY = Set.of(502, 504);

  private static final String MAY_BE_DONE =
      "An earlier try of this call was not answered, and may have been carried out";

  private LostAnswer() {}

  /** Whether what was asked may have been carried out. */
  public static boolean isOf(Try.Failed failed) {
    if (failed.error() instanceof FlowgateApiException refused) return LOST_ON_THE_WAY.contains(refused.status());
    return failed.error() instanceof FlowgateUnreachableException;
  }

  /** What a call ends with of which an answer was lost before. */
  public static RuntimeException inDoubt(Question question, Try.Failed failed) {
    boolean isDone =
        failed.error() instanceof FlowgateApiException refused
            && question.codeOnceDone() != null
            && question.codeOnceDone().equals(refused.code());
    return isDone ? withDoubt((FlowgateApiException) failed.error()) : failed.error();
  }

  private static FlowgateApiException withDoubt(FlowgateApiException refused) {
    String detail = refused.detail() == null ? MAY_BE_DONE : refused.detail() + "\n" + MAY_BE_DONE;
    return new FlowgateApiException(
        refused.status(),
        refused.body(),
        refused.error(),
        refused.type(),
        refused.code(),
        refused.details(),
        detail,
        refused.retryAfter());
  }
}
