package io.flowgate.client;

/**
 * The thread that waited in a blocking call was interrupted. The call is over; what the service has begun continues. The
 * thread's interrupt flag is set again.
 */
public final class FlowgateInterruptedException extends FlowgateException {
  private static final long serialVersionUID = 1;

  /**
   * Made by the client, and by tests of programs that use it.
   *
   * @param cause the interruption
   */
  public FlowgateInterruptedException(InterruptedException cause) {
    super("The thread was interrupted while it waited for the answer: the call is over, what the service began goes on", cause);
  }
}
