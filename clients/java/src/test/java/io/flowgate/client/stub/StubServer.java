package io.flowgate.client.stub;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.Set;

/** A server of HTTP/1.1 on a real socket that does what a service never should, and keeps what it is sent. */
public final class StubServer implements AutoCloseable {
  /** What it does with a request. */
  @FunctionalInterface
  public interface Behaviour {
    void answer(Received request, Wire wire) throws IOException, InterruptedException;
  }

  /** One request as it arrived; names of headers in lower case. */
  public record Received(String method, String target, Map<String, String> headers, String body) {}

  /** The connection that it came on. */
  public static final class Wire {
    private final Socket socket;
    private final InputStream in;

    private Wire(Socket socket, InputStream in) {
      this.socket = socket;
      this.in = in;
    }

    public void reply(int status, Map<String, String> headers, String body) throws IOException {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      head(status, headers);
      raw("content-length: " + bytes.length + "\r\n\r\n");
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    }

    public void json(int status, String body) throws IOException {
      reply(status, Map.of("content-type", "application/json"), body);
    }

    /** In pieces of so many bytes, without saying how many there will be. */
    public void chunked(String body, int bytesInAPiece) throws IOException {
      head(200, Map.of("content-type", "application/json", "transfer-encoding", "chunked"));
      raw("\r\n");
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      for (int at = 0; at < bytes.length; at += bytesInAPiece) {
        int length = Math.min(bytesInAPiece, bytes.length - at);
        raw(Integer.toHexString(length) + "\r\n");
        socket.getOutputStream().write(bytes, at, length);
        raw("\r\n");
      }
      raw("0\r\n\r\n");
    }

    public void raw(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
    }

    public void cut() throws IOException {
      socket.close();
    }

    /** Until the other side disconnects. */
    public void untilItHangsUp() throws IOException {
      try {
        while (in.read() >= 0) continue;
      } catch (IOException reset) {
        // That is one way to disconnect.
      }
      socket.close();
    }

    private void head(int status, Map<String, String> headers) throws IOException {
      StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Said\r\n");
      headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
      raw(head.toString());
    }
  }

  private final ServerSocket listening;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          work -> {
            Thread thread = new Thread(work, "stub-server");
            thread.setDaemon(true);
            return thread;
          });
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final List<Received> requests = new CopyOnWriteArrayList<>();
  private final CountDownLatch hungUp = new CountDownLatch(1);
  private volatile Behaviour behaviour = (request, wire) -> wire.json(200, "{}");

  public StubServer() throws IOException {
    listening = new ServerSocket(0, 512, InetAddress.getByName("127.0.0.1"));
    threads.execute(this::accept);
  }

  public String url() {
    return "http://127.0.0.1:" + listening.getLocalPort();
  }

  public void answer(Behaviour given) {
    behaviour = given;
  }

  /** What each request is answered with, one after another; the last one from then on. */
  public void answerInTurn(Behaviour... behaviours) {
    int first = requests.size();
    answer((request, wire) -> {
      int turn = requests.indexOf(request) - first;
      behaviours[Math.min(turn, behaviours.length - 1)].answer(request, wire);
    });
  }

  public List<Received> requests() {
    return requests;
  }

  public List<String> headers(String name) {
    return requests.stream().map(request -> request.headers().get(name)).toList();
  }

  /** Keeps the request waiting until the other side hangs up, which {@link #awaitHangUp} waits for. */
  public Behaviour never() {
    return (request, wire) -> {
      wire.untilItHangsUp();
      hungUp.countDown();
    };
  }

  public boolean awaitHangUp() throws InterruptedException {
    return hungUp.await(5, TimeUnit.SECONDS);
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : sockets) socket.close();
    threads.shutdownNow();
  }

  private void accept() {
    try {
      for (;;) {
        Socket socket = listening.accept();
        sockets.add(socket);
        threads.execute(() -> serve(socket));
      }
    } catch (IOException | java.util.concurrent.RejectedExecutionException closed) {
      // It was asked to.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      InputStream in = new BufferedInputStream(socket.getInputStream());
      for (;;) {
        String[] line = line(in).split(" ");
        if (line.length < 3) return;
        Map<String, String> headers = new TreeMap<>();
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
          int colon = header.indexOf(':');
          headers.put(header.substring(0, colon).toLowerCase(Locale.ROOT), header.substring(colon + 1).strip());
        }
        byte[] body = in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0")));
        // Each is its own, also where two are alike.
        headers.put("stub-request", Long.toString(System.nanoTime()));
        Received received = new Received(line[0], line[1], headers, new String(body, StandardCharsets.UTF_8));
        Behaviour now = behaviour;
        requests.add(received);
        now.answer(received, new Wire(socket, in));
        if (socket.isClosed()) return;
      }
    } catch (IOException gone) {
      // The other side went away, as some tests want it.
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } finally {
      sockets.remove(socket);
    }
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) if (next != '\r') line.write(next);
    return line.toString(StandardCharsets.ISO_8859_1);
  }
}
