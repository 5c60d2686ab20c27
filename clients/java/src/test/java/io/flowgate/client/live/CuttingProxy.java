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
import java.util.function.IntSupplier;

/** A bad line: it sends on what comes, and cuts each connection after so many bytes of what the service sends. */
final class CuttingProxy implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 0, InetAddress.getByName("127.0.0.1"));
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final AtomicInteger cuts = new AtomicInteger();
  private final IntSupplier bytes;
  private final int port;

  /** @param bytes of each connection, read when it is made */
  CuttingProxy(LiveService service, IntSupplier bytes) throws IOException {
    this.bytes = bytes;
    port = URI.create(service.url()).getPort();
    Thread thread = new Thread(this::accept, "cutting-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  int cuts() {
    return cuts.get();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) socket.close();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        sockets.add(client);
        int left = bytes.getAsInt();
        Thread thread = new Thread(() -> serve(client, left), "cutting-proxy");
        thread.setDaemon(true);
        thread.start();
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client, int left) {
    try (client;
        Socket service = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
      sockets.add(service);
      Thread asking = new Thread(() -> sendOn(client, service), "cutting-proxy");
      asking.setDaemon(true);
      asking.start();
      byte[] piece = new byte[1_024];
      InputStream in = service.getInputStream();
      OutputStream out = client.getOutputStream();
      for (int rest = left; rest > 0; ) {
        int count = in.read(piece, 0, Math.min(piece.length, rest));
        if (count < 0) return;
        out.write(piece, 0, count);
        rest -= count;
      }
      cuts.incrementAndGet();
    } catch (IOException gone) {
      // One of the two has hung up.
    } finally {
      sockets.remove(client);
    }
  }

  private static void sendOn(Socket client, Socket service) {
    try {
      client.getInputStream().transferTo(service.getOutputStream());
    } catch (IOException gone) {
      // As above.
    }
  }
}
