package io.flowgate.client.internal.calls;

import io.flowgate.client.FlowgateWaitTimeoutException;
import io.flowgate.client.RunRecord;
import java.time.Duration;

/** Asks, ever more rarely, until the run is completed, paused or failed. */
final class WaitForRun implements Operation<RunRecord> {
  /** A running run's record is short: asking costs little. */
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);

  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  private final Operation<RunRecord> reading;
  private final Calls calls;
  private final Duration timeout;
  private volatile String last;

  WaitForRun(Operation<RunRecord> reading, Calls calls, Duration timeout) {
    this.reading = reading;
    this.calls = calls;
    this.timeout = timeout;
  }

  @Override
  public Duration timeout() {
    return timeout;
  }

  @Override
  public RuntimeException onTimeout() {
    String text = last;
    return new FlowgateWaitTimeoutException(timeout, text == null ? null : read(text));
  }

  @Override
  public void begin(Flight flight) {
    ask(flight, FIRST_PAUSE);
  }

  @Override
  public RunRecord read(String text) {
    return reading.read(text);
  }

  private void ask(Flight flight, Duration pause) {
    if (flight.isOver()) return;
    Flight read = calls.begin(reading);
    flight.goesOnWith(read::cancel);
    read.end().whenComplete((text, error) -> {
      if (flight.isOver()) return;
      try {
        if (error != null) flight.fail(error);
        else if (RecordReader.status(text).isStopped()) flight.succeed(text);
        else {
          last = text;
          flight.goesOnWith(calls.waiting().later(pause, () -> askAgain(flight, longer(pause))));
        }
      } catch (RuntimeException unforeseen) {
        flight.fail(unforeseen);
      }
    });
  }

  /** Nobody is there to catch what it throws. */
  private void askAgain(Flight flight, Duration pause) {
    try {
      ask(flight, pause);
    } catch (RuntimeException unforeseen) {
      flight.fail(unforeseen);
    }
  }

  private static Duration longer(Duration pause) {
    Duration longer = pause.multipliedBy(3).dividedBy(2);
    return longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
  }
}
