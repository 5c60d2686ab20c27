package io.flowgate.client.internal.http;

import io.flowgate.client.FlowgateUnreachableException;
import io.flowgate.client.FlowgateUnreachableException.Reason;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import javax.net.ssl.SSLException;

/** The sentences for a service that did not answer. */
public final class Unreachable {
  private static final int MAX_REASON_CHARS = 300;
  private static final int MAX_CAUSES = 10;

  private Unreachable() {}

  public static FlowgateUnreachableException because(ServiceAddress address, Throwable cause) {
    Reason reason = reasonOf(cause);
    return new FlowgateUnreachableException(
        "The service is unreachable at " + address + " (" + said(reason, cause)
            + "): is the service running, and is that its address?",
        reason,
        cause);
  }

  public static FlowgateUnreachableException silent(ServiceAddress address, Duration timeout) {
    return new FlowgateUnreachableException(
        "The service is unreachable at " + address + ": it did not answer within " + timeout.toMillis()
            + " ms; give the call a longer timeout",
        Reason.TIMEOUT,
        null);
  }

  private static Reason reasonOf(Throwable thrown) {
    boolean isConnecting = false;
    Throwable at = thrown;
    for (int depth = 0; at != null && depth < MAX_CAUSES; depth++, at = at.getCause()) {
      if (at instanceof UnresolvedAddressException || at instanceof UnknownHostException) return Reason.DNS;
      if (at instanceof SSLException) return Reason.TLS;
      isConnecting |=
          at instanceof ConnectException || at instanceof NoRouteToHostException || at instanceof HttpConnectTimeoutException;
    }
    return isConnecting ? Reason.CONNECT : Reason.BROKEN;
  }

  private static String said(Reason reason, Throwable cause) {
    String message = cause.getMessage() == null ? "" : cause.getMessage().strip();
    String text =
        switch (reason) {
          case DNS -> "the name of the host is not known";
          case CONNECT -> message.isEmpty() ? "connection refused" : message;
          default -> message.isEmpty() ? cause.getClass().getSimpleName() : message;
        };
    String line = text.replaceAll("[\\s\\p{Cntrl}]+", " ");
    return line.substring(0, Math.min(line.length(), MAX_REASON_CHARS));
  }
}
