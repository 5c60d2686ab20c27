package io.flowgate.client;

/** The status of a run (interface, section 3). */
public enum RunStatus {
  /** It has not begun. */
  PENDING,
  /** Units are at work, or waited for. */
  RUNNING,
  /** It waits: for a decision at a gate, or to be resumed. */
  PAUSED,
  /** It came to its end. */
  COMPLETED,
  /** It ended with an error; resumed, it is tried again. */
  FAILED,
  /** A status of a later service, which this version does not know. */
  UNKNOWN;

  /**
   * Whether the run moves by itself no more.
   *
   * @return true for all but {@link #PENDING} and {@link #RUNNING}
   */
  public boolean isStopped() {
    return this != PENDING && this != RUNNING;
  }
}
