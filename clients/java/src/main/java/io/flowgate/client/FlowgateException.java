package io.flowgate.client;

/**
 * The base of what the client throws beyond arguments that cannot be meant. What it says names the value of no header.
 */
public class FlowgateException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Made by the client, and by tests of programs that use it.
   *
   * @param message what went wrong, and what to do
   * @param cause what lies beneath; may be null
   */
  public FlowgateException(String message, Throwable cause) {
    super(message, cause);
  }
}
