package io.flowgate.client.internal.calls;

import io.flowgate.client.RetryOptions;
import io.flowgate.client.internal.http.Exchange;
import io.flowgate.client.internal.http.Question;
import io.flowgate.client.internal.http.Try;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Asks until there is an answer, the fault is none that passes, or the tries are used up. A try that was cut after a long
 * wait is taken up again as if it were the first: nothing failed, somebody on the way lost patience.
 *
 * @param retries how often, and with which pauses
 * @param exchange sends one try
 * @param waiting for the pauses
 * @param millis that have passed since some instant
 */
record Tries(RetryOptions retries, Exchange exchange, Waiting waiting, LongSupplier millis) {
  void begin(Question question, Flight flight) {
    attempt(question, flight, 0);
  }

  private void attempt(Question question, Flight flight, int again) {
    if (flight.isOver()) return;
    long began = millis.getAsLong();
    Exchange.Attempt attempt = exchange.attempt(question);
    flight.goesOnWith(attempt::cancel);
    attempt
        .ended()
        .whenComplete(
            (tried, fault) -> {
              if (flight.isOver()) return;
              try {
                if (fault != null) flight.fail(fault instanceof CompletionException ? fault.getCause() : fault);
                else if (tried instanceof Try.Answered answered) flight.succeed(answered.text());
                else afterwards(question, flight, (Try.Failed) tried, count(again, millis.getAsLong() - began));
              } catch (RuntimeException | Error unforeseen) {
                flight.fail(unforeseen);
              }
            });
  }

  private void afterwards(Question question, Flight flight, Try.Failed failed, int again) {
    boolean isTooLate = failed.retryAfter().compareTo(retries.maxRetryAfter()) > 0;
    if (!failed.isPassing() || again >= retries.count() || isTooLate) {
      flight.fail(failed.error());
      return;
    }
    Duration pause = pause(again);
    Duration longer = pause.compareTo(failed.retryAfter()) > 0 ? pause : failed.retryAfter();
    flight.goesOnWith(waiting.later(longer, () -> attempt(question, flight, again + 1)));
  }

  private int count(int again, long tookMs) {
    return again > 0 && tookMs >= retries.renewAfter().toMillis() ? 0 : again;
  }

  /** Half of it is chance, so that many clients do not come back at the same instant. */
  Duration pause(int again) {
    double doubled = retries.base().toNanos() * Math.pow(2, again);
    double longest = Math.min(retries.max().toNanos(), doubled);
    return Duration.ofNanos((long) (longest * (0.5 + ThreadLocalRandom.current().nextDouble() / 2)));
  }
}
