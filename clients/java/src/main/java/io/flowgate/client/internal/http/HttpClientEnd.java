package io.flowgate.client.internal.http;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.http.HttpClient;
import java.time.Duration;

/**
 * Ends an {@code HttpClient}. Java 21 has methods for it, which a program for Java 17 cannot name; before, its thread ends
 * when it has been collected.
 */
public final class HttpClientEnd {
  private static final Method SHUTDOWN_NOW = method("shutdownNow");
  private static final Method AWAIT_TERMINATION = method("awaitTermination", Duration.class);

  private HttpClientEnd() {}

  public static void shutdownNow(HttpClient client) {
    if (SHUTDOWN_NOW != null) call(SHUTDOWN_NOW, client);
  }

  public static void awaitEnd(HttpClient client, Duration timeout) throws InterruptedException {
    if (AWAIT_TERMINATION == null) return;
    if (call(AWAIT_TERMINATION, client, timeout) instanceof InterruptedException interruption) throw interruption;
  }

  private static Method method(String name, Class<?>... parameters) {
    try {
      return HttpClient.class.getMethod(name, parameters);
    } catch (NoSuchMethodException before21) {
      return null;
    }
  }

  /** What it gives, or throws. */
  private static Object call(Method method, HttpClient client, Object... arguments) {
    try {
      return method.invoke(client, arguments);
    } catch (InvocationTargetException thrown) {
      return thrown.getCause();
    } catch (IllegalAccessException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
