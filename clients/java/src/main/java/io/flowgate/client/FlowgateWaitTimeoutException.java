package io.flowgate.client;

import java.time.Duration;

/** {@code waitForRun} was given so much time, and the run was still moving at its end. The run continues. */
public final class FlowgateWaitTimeoutException extends FlowgateException {
  private static final long serialVersionUID = 1;

  private final transient RunRecord run;

  /**
   * Made by the client, and by tests of programs that use it.
   *
   * @param timeout how long was waited
   * @param run the run as it was last read; null: not even that came in time
   */
  public FlowgateWaitTimeoutException(Duration timeout, RunRecord run) {
    super(
        "The run was not over after " + timeout.toMillis() + " ms; it goes on: wait again, or give it a longer timeout", null);
    this.run = run;
  }

  /**
   * The run as it was last read.
   *
   * @return the record; null when not even that came in time, and after serialization
   */
  public RunRecord run() {
    return run;
  }
}
