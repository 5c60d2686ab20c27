package io.flowgate.client.live;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Gives a service a path, as proxies do, and has nothing elsewhere. Paths are sent on byte for byte. */
public final class PathProxy implements BeforeAllCallback, AfterAllCallback {
  private static final String PREFIX = "/api/flowgate";

  /** Those of the connection, which each side has of its own; and what the JDK's client sets itself. */
  private static final Set<String> NOT_SENT_ON = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

  static {
    NOT_SENT_ON.addAll(List.of("connection", "content-length", "host", "upgrade", "transfer-encoding", "http2-settings", "keep-alive", "expect"));
  }

  private final Supplier<String> service;
  private final HttpClient onward = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private ExecutorService threads;
  private HttpServer server;

  private PathProxy(Supplier<String> service) {
    this.service = service;
  }

  public static PathProxy before(LiveService service) {
    return new PathProxy(service::url);
  }

  /** With a slash at its end. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + PREFIX + "/";
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    threads = Executors.newCachedThreadPool();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().toString();
      if (!path.startsWith(PREFIX + "/")) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      HttpResponse<InputStream> answer = sendOn(exchange, path.substring(PREFIX.length()));
      answer.headers().map().forEach((name, values) -> {
        if (!NOT_SENT_ON.contains(name)) exchange.getResponseHeaders().put(name, values);
      });
      boolean isStream = answer.headers().firstValue("content-type").orElse("").startsWith("text/event-stream");
      if (isStream) {
        exchange.sendResponseHeaders(answer.statusCode(), 0);
        pieceByPiece(answer.body(), exchange.getResponseBody());
        return;
      }
      byte[] body = answer.body().readAllBytes();
      exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? -1 : body.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private static void pieceByPiece(InputStream from, OutputStream to) throws IOException {
    byte[] bytes = new byte[8_192];
    try (from; to) {
      for (int count = from.read(bytes); count >= 0; count = from.read(bytes)) {
        to.write(bytes, 0, count);
        to.flush();
      }
    }
  }

  private HttpResponse<InputStream> sendOn(HttpExchange exchange, String path) throws IOException, InterruptedException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(service.get() + path))
            .method(exchange.getRequestMethod(), body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    exchange.getRequestHeaders().forEach((name, values) -> {
      if (!NOT_SENT_ON.contains(name)) values.forEach(value -> request.header(name, value));
    });
    return onward.send(request.build(), BodyHandlers.ofInputStream());
  }
}
