package io.flowgate.client.internal.calls;

import io.flowgate.client.RetryOptions;
import io.flowgate.client.internal.http.Credentials;
import io.flowgate.client.internal.http.Exchange;
import io.flowgate.client.internal.http.LostAnswer;
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
  /**
   * How far a call has come.
   *
   * @param again how many tries there were before this one
   * @param isRenewed whether another token was asked for, or there can be none
   * @param isUnanswered whether an answer was lost, so that all may be done
   */
  private record Progress(int again, boolean isRenewed, boolean isUnanswered) {
    Progress renewed() {
      return new Progress(again, true, isUnanswered);
    }

    /** After a try that failed, of which {@code counted} count. */
    Progress next(int counted, Try.Failed failed) {
      return new Progress(counted + 1, isRenewed, isUnanswered || LostAnswer.isOf(failed));
    }
  }

  /** As often as the retries say, and once more after a 401 where there may be another token: nothing was done then. */
  void begin(Question question, Flight flight) {
    attempt(question, flight, new Progress(0, !exchange.credentials().isRenewable(), false));
  }

  /** Whoever gives tokens may take a while: the thread that waits for the call must not wait for them. */
  private void attempt(Question question, Flight flight, Progress progress) {
    if (!exchange.credentials().isRenewable()) {
      send(question, flight, progress);
      return;
    }
    waiting.workers().execute(
        () -> {
          try {
            send(question, flight, progress);
          } catch (RuntimeException | Error failed) {
            flight.fail(failed);
          }
        });
  }

  private void send(Question question, Flight flight, Progress progress) {
    if (flight.isOver()) return;
    Credentials.Given given = exchange.credentials().given();
    if (flight.isOver()) return;
    long began = millis.getAsLong();
    Exchange.Attempt attempt = exchange.attempt(question, given);
    flight.goesOnWith(attempt::cancel);
    attempt
        .ended()
        .whenComplete(
            (tried, fault) -> {
              if (flight.isOver()) return;
              try {
                if (fault != null) flight.fail(fault instanceof CompletionException ? fault.getCause() : fault);
                else if (tried instanceof Try.Answered answered) flight.succeed(answered.text());
                else if (!progress.isRenewed() && Exchange.isUnauthorized((Try.Failed) tried)) {
                  exchange.credentials().refused(given);
                  attempt(question, flight, progress.renewed());
                } else afterwards(question, flight, (Try.Failed) tried, progress, millis.getAsLong() - began);
              } catch (RuntimeException | Error unforeseen) {
                flight.fail(unforeseen);
              }
            });
  }

  private void afterwards(Question question, Flight flight, Try.Failed failed, Progress progress, long tookMs) {
    int again = count(progress.again(), tookMs);
    boolean isTooLate = failed.retryAfter().compareTo(retries.maxRetryAfter()) > 0;
    if (!failed.isPassing() || again >= retries.count() || isTooLate) {
      flight.fail(progress.isUnanswered() ? LostAnswer.inDoubt(question, failed) : failed.error());
      return;
    }
    Duration pause = pause(again);
    Duration longer = pause.compareTo(failed.retryAfter()) > 0 ? pause : failed.retryAfter();
    flight.goesOnWith(waiting.later(longer, () -> attempt(question, flight, progress.next(again, failed))));
  }

  private int count(int again, long tookMs) {
    return again > 0 && tookMs >= retries.renewAfter().toMillis() ? 0 : again;
  }

  /** For what must not be done twice, and has no key. */
  Tries once() {
    return new Tries(retries.count(0), exchange, waiting, millis);
  }

  /** Half of it is chance, so that many clients do not come back at the same instant. */
  Duration pause(int again) {
    double doubled = retries.base().toNanos() * Math.pow(2, again);
    double longest = Math.min(retries.max().toNanos(), doubled);
    return Duration.ofNanos((long) (longest * (0.5 + ThreadLocalRandom.current().nextDouble() / 2)));
  }
}
