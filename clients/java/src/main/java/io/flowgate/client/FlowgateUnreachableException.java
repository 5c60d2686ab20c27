package io.flowgate.client;

import java.util.Objects;

/**
 * Nothing answered: no connection, one that broke, or none within the time. The message says that the service is
 * unreachable, at which address and why; the cause is what the network said.
 */
public final class FlowgateUnreachableException extends FlowgateException {
  private static final long serialVersionUID = 1;

  /** Why nothing answered. A later version may know more of them. */
  public enum Reason {
    /** The call had no answer within its time; its tries are counted together. */
    TIMEOUT,
    /** No connection could be made: it was refused, there is no way there, or it took too long. */
    CONNECT,
    /** The host's name is not known. */
    DNS,
    /** The connection is not trusted, or there is no TLS at the other end. */
    TLS,
    /** The connection broke before the whole answer was here, or what came is not HTTP. */
    BROKEN
  }

  private final Reason reason;

  /**
   * Made by the client, and by tests of programs that use it.
   *
   * @param message says that the service is unreachable, where and why
   * @param reason why
   * @param cause what the network said; may be null
   */
  public FlowgateUnreachableException(String message, Reason reason, Throwable cause) {
    super(message, cause);
    this.reason = Objects.requireNonNull(reason, "reason");
  }

  /**
   * Why nothing answered.
   *
   * @return never null
   */
  public Reason reason() {
    return reason;
  }
}
