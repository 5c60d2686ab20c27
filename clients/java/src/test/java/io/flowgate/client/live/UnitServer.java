package io.flowgate.client.live;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A remote unit, on a free port of this machine. Closing it ends all that waits in it. */
public final class UnitServer implements AutoCloseable {
  /** Of all that answer. */
  static final String THREADS = "unit-server";

  private static final long ARRIVES_WITHIN_S = 20;

  /** One call as it arrived; names of headers in lower case. */
  public record Received(Map<String, String> headers, String body) {}

  /** What it answers with. It may wait. */
  @FunctionalInterface
  public interface Behaviour {
    /** JSON text. */
    String answer(Received request) throws InterruptedException;
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool(work -> new Thread(work, THREADS));
  private final List<Received> requests = new CopyOnWriteArrayList<>();
  private final Semaphore arrived = new Semaphore(0);
  private volatile Behaviour behaviour;

  private UnitServer(Behaviour behaviour) throws IOException {
    this.behaviour = behaviour;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  public static UnitServer start(Behaviour behaviour) throws IOException {
    return new UnitServer(behaviour);
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  public List<Received> requests() {
    return List.copyOf(requests);
  }

  /** From now on. */
  public void answer(Behaviour next) {
    behaviour = next;
  }

  /** Returns once another call has arrived. */
  public void awaitCall() throws InterruptedException {
    if (!arrived.tryAcquire(ARRIVES_WITHIN_S, TimeUnit.SECONDS)) {
      throw new AssertionError("Nobody called the unit within " + ARRIVES_WITHIN_S + " s.");
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Map<String, String> headers = new TreeMap<>();
      exchange
          .getRequestHeaders()
          .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
      Received received = new Received(Map.copyOf(headers), body);
      requests.add(received);
      arrived.release();
      byte[] answer = behaviour.answer(received).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("content-type", "application/json");
      exchange.sendResponseHeaders(200, answer.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(answer);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }
}
