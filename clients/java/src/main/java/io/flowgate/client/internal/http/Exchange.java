package io.flowgate.client.internal.http;

import io.flowgate.client.FlowgateApiException;
import io.flowgate.client.internal.json.JsonFault;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Sends a question once, and says how that ended.
 *
 * @param address of the service
 * @param httpClient asked for anew at each try: a closed client has none
 * @param headers of the caller
 * @param credentials of the caller
 * @param maxResponseBytes the longest answer that is read
 * @param clock for dates of {@code Retry-After}
 */
public record Exchange(
    ServiceAddress address,
    Supplier<HttpClient> httpClient,
    CallerHeaders headers,
    Credentials credentials,
    long maxResponseBytes,
    InstantSource clock) {
  /** A proxy in front of the service that cannot reach it, or has waited long enough, and a service that is busy. */
  private static final Set<Integer> PASSING = Set.of(429, 502, 503, 504);

  private static final int MAX_LOCATION_CHARS = 300;
  private static final int UNAUTHORIZED = 401;

  /**
   * One try under way.
   *
   * @param sent the exchange; cancelling it lets the connection go
   * @param ended how the try ended; exceptionally only by a fault of the virtual machine
   */
  public record Attempt(CompletableFuture<?> sent, CompletableFuture<Try> ended) {
    public void cancel() {
      sent.cancel(true);
    }
  }

  public Attempt attempt(Question question, Credentials.Given given) {
    CompletableFuture<HttpResponse<AnswerBody.Read>> sent = send(question, given, AnswerBody.upTo(maxResponseBytes));
    return new Attempt(
        sent,
        sent.handle(
            (answer, thrown) -> thrown == null ? read(question, answer, answer.body()) : unreachable(thrown)));
  }

  <T> CompletableFuture<HttpResponse<T>> send(
      Question question, Credentials.Given given, HttpResponse.BodyHandler<T> body) {
    try {
      HttpRequest.Builder request = HttpRequest.newBuilder(question.address()).version(HttpClient.Version.HTTP_1_1);
      headers.addTo(request, question.headers());
      if (given.authorization() != null) request.setHeader("authorization", given.authorization());
      HttpRequest.BodyPublisher sent =
          question.body() == null
              ? HttpRequest.BodyPublishers.noBody()
              : HttpRequest.BodyPublishers.ofByteArray(question.body());
      request.method(question.method(), sent);
      return httpClient.get().sendAsync(request.build(), body);
    } catch (RuntimeException refused) {
      return CompletableFuture.failedFuture(refused);
    }
  }

  /** {@code body}: what was read of the answer. */
  Try read(Question question, HttpResponse<?> answer, AnswerBody.Read body) {
    int status = answer.statusCode();
    String text = body.text();
    if (body.isTooLong()) return Try.Failed.forGood(tooLong(status));
    if (AnswerBody.isRedirect(status)) return Try.Failed.forGood(redirected(answer));
    boolean isSuccess = status >= 200 && status < 300;
    String why = "";
    if (isSuccess || question.alsoAnswers().contains(status)) {
      try {
        if (question.isAnswer().test(text)) return new Try.Answered(text);
      } catch (JsonFault fault) {
        why = fault.getMessage();
      }
    }
    Duration retryAfter = RetryAfter.read(answer.headers().firstValue("retry-after"), clock);
    String contentType = answer.headers().firstValue("content-type").orElse("");
    Refusal refusal = new Refusal(address, status, credentials.redacted(text), contentType, retryAfter);
    if (isSuccess) return Try.Failed.forGood(refusal.strangeAnswer(why));
    return new Try.Failed(
        refusal.exception(), PASSING.contains(status), retryAfter == null ? Duration.ZERO : retryAfter);
  }

  private FlowgateApiException redirected(HttpResponse<?> answer) {
    String to =
        answer
            .headers()
            .firstValue("location")
            .map(place -> " (to " + place.substring(0, Math.min(place.length(), MAX_LOCATION_CHARS)) + ")")
            .orElse("");
    return plain(
        answer.statusCode(),
        address
            + " sends callers elsewhere"
            + to
            + ", and the client does not follow: set baseUrl to the address of the service itself");
  }

  /** A stream that the service ended, because what it was opened with is no longer good. */
  public FlowgateApiException noLongerGood() {
    String error =
        address
            + " ended the stream, because what it was opened with is no longer good: give the client a token that is, or a "
            + "tokenSupplier that gets one whenever it is needed";
    return new FlowgateApiException(
        UNAUTHORIZED, "", error, null, "unauthorized", List.<Map<String, Object>>of(), null, null);
  }

  /** Whether another token may help: nothing was done yet. */
  public static boolean isUnauthorized(Try.Failed failed) {
    return failed.error() instanceof FlowgateApiException refused && refused.status() == UNAUTHORIZED;
  }

  private FlowgateApiException tooLong(int status) {
    return plain(
        status, "The answer of " + address + " has more than " + maxResponseBytes + " bytes: raise maxResponseBytes");
  }

  private static FlowgateApiException plain(int status, String error) {
    return new FlowgateApiException(status, "", error, null, null, List.<Map<String, Object>>of(), null, null);
  }

  Try.Failed unreachable(Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    if (cause instanceof Error fault) throw fault;
    return new Try.Failed(Unreachable.because(address, cause), true, Duration.ZERO);
  }
}
