import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { framed, NOTIFICATION } from './wire.js';

/** A way to a server that a test can hold up, cut, lead elsewhere, and listen in on. */
export interface Proxy {
  readonly port: number;
  /** The same URL, by this way. */
  through(url: string): string;
  /** Nothing passes in either direction, and nothing is lost: connections stay open, new ones wait. */
  freeze(): void;
  thaw(): void;
  /** Ends all connections that are open. */
  cut(): void;
  /** From now on connections lead to this port. */
  leadTo(port: number): void;
  /** Whether notifications are left out of what the server says. */
  dropsNotifications: boolean;
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  /** Null: it is frozen, and not connected yet. */
  server: Socket | null;
}

export async function startProxy(target: number): Promise<Proxy> {
  const pairs = new Set<Pair>();
  let port = target;
  let isFrozen = false;

  const join = (pair: Pair): void => {
    const server = connect(port, '127.0.0.1');
    pair.server = server;
    const { client } = pair;
    const end = (): void => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    const leaveOut = (type: number): boolean => proxy.dropsNotifications && type === NOTIFICATION;
    const passOn = framed((message, type) => {
      if (!leaveOut(type)) client.write(message);
    });
    client.on('data', (chunk: Buffer) => server.write(chunk));
    server.on('data', passOn);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('end', end);
      socket.on('close', end);
      socket.on('error', end);
    }
    client.resume();
  };

  const listener = createServer({ pauseOnConnect: true }, (client) => {
    const pair: Pair = { client, server: null };
    pairs.add(pair);
    client.on('error', () => client.destroy());
    if (!isFrozen) join(pair);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const own = (listener.address() as AddressInfo).port;

  const proxy: Proxy = {
    port: own,
    dropsNotifications: false,
    through(url) {
      const changed = new URL(url);
      changed.hostname = '127.0.0.1';
      changed.port = String(own);
      return changed.href;
    },
    freeze() {
      isFrozen = true;
      for (const { client, server } of pairs) {
        client.pause();
        server?.pause();
      }
    },
    thaw() {
      isFrozen = false;
      for (const pair of pairs) {
        if (pair.server === null) {
          join(pair);
          continue;
        }
        pair.client.resume();
        pair.server.resume();
      }
    },
    cut() {
      for (const { client, server } of pairs) {
        client.destroy();
        server?.destroy();
      }
      pairs.clear();
    },
    leadTo(next) {
      port = next;
    },
    async close() {
      proxy.cut();
      listener.close();
      await once(listener, 'close');
    },
  };
  return proxy;
}
