package io.flowgate.client.internal.http;

import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

/**
 * Asks for a stream of events once, and says whether it began.
 *
 * @param exchange sends what is asked
 */
public record StreamExchange(Exchange exchange) {
  private static final String EVENTS = "text/event-stream";
  private static final int NO_CONTENT = 204;

  /** How it ended. */
  public sealed interface Opened {
    /** With a stream, which whoever gets it closes. */
    record Streaming(StreamBody body) implements Opened {}

    /** There is nothing more to tell, now and ever. */
    record NothingLeft() implements Opened {}

    record Refused(Try.Failed failed) implements Opened {}
  }

  /** What came for a body: one of both is there. */
  private record Body(StreamBody stream, AnswerBody.Read read) {}

  /**
   * One that is under way.
   *
   * @param sent the exchange; cancelling it lets the connection go
   * @param ended how it ended; exceptionally only by a fault of the virtual machine
   */
  public record Opening(CompletableFuture<?> sent, CompletableFuture<Opened> ended) {
    /** Lets the connection go, also that of a stream which nobody will read. */
    public void cancel() {
      sent.cancel(true);
      ended.thenAccept(StreamExchange::close);
    }

    /** Ends it so, unless it has ended. */
    public void expire(Try.Failed failed) {
      if (ended.complete(new Opened.Refused(failed))) sent.cancel(true);
    }
  }

  public Opening open(Question question, Credentials.Given given) {
    CompletableFuture<HttpResponse<Body>> sent = exchange.send(question, given, body());
    CompletableFuture<Opened> ended = new CompletableFuture<>();
    sent.whenComplete(
        (answer, thrown) -> {
          try {
            Opened opened = thrown == null ? opened(question, answer) : new Opened.Refused(exchange.unreachable(thrown));
            if (!ended.complete(opened)) close(opened);
          } catch (RuntimeException | Error unforeseen) {
            ended.completeExceptionally(unforeseen);
          }
        });
    return new Opening(sent, ended);
  }

  private static void close(Opened opened) {
    if (opened instanceof Opened.Streaming streaming) streaming.body().close();
  }

  private BodyHandler<Body> body() {
    BodyHandler<AnswerBody.Read> gathered = AnswerBody.upTo(exchange.maxResponseBytes());
    return answer -> {
      String contentType = answer.headers().firstValue("content-type").orElse("").toLowerCase(Locale.ROOT);
      boolean isStream = answer.statusCode() == 200 && contentType.startsWith(EVENTS);
      return isStream
          ? BodySubscribers.mapping(new StreamBody(), stream -> new Body(stream, null))
          : BodySubscribers.mapping(gathered.apply(answer), read -> new Body(null, read));
    };
  }

  private Opened opened(Question question, HttpResponse<Body> answer) {
    if (answer.body().stream() != null) return new Opened.Streaming(answer.body().stream());
    if (answer.statusCode() == NO_CONTENT) return new Opened.NothingLeft();
    return new Opened.Refused((Try.Failed) exchange.read(question, answer, answer.body().read()));
  }
}
