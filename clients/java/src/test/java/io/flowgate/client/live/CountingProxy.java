package io.flowgate.client.live;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends on what comes, byte for byte, and knows how many connections a client has open. */
final class CountingProxy implements AutoCloseable {
  /** Of all its threads. */
  static final String THREADS = "counting-proxy";

  private final ServerSocket server = new ServerSocket(0, 0, InetAddress.getByName("127.0.0.1"));
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger accepted = new AtomicInteger();
  private final int port;

  CountingProxy(LiveService service) throws IOException {
    port = URI.create(service.url()).getPort();
    inBackground(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  /** That the client has not ended. */
  int open() {
    return open.get();
  }

  int accepted() {
    return accepted.get();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) socket.close();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = server.accept();
      Socket service = new Socket(InetAddress.getByName("127.0.0.1"), port);
      sockets.add(client);
      sockets.add(service);
      open.incrementAndGet();
      accepted.incrementAndGet();
      inBackground(() -> copy(service.getInputStream(), client.getOutputStream()));
      inBackground(
          () -> {
            try (client;
                service) {
              copy(client.getInputStream(), service.getOutputStream());
            } finally {
              open.decrementAndGet();
            }
          });
    }
  }

  private static void copy(InputStream from, OutputStream to) throws IOException {
    byte[] bytes = new byte[8_192];
    for (int count = from.read(bytes); count >= 0; count = from.read(bytes)) to.write(bytes, 0, count);
  }

  /** What ends when a connection does. */
  @FunctionalInterface
  private interface Work {
    void run() throws IOException;
  }

  private static void inBackground(Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException ended) {
                // One of the two has hung up.
              }
            },
            THREADS);
    thread.setDaemon(true);
    thread.start();
  }
}
