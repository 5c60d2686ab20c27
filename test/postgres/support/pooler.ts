import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { framed, IDLE, READY, TERMINATE } from './wire.js';

/** A pooler as PgBouncer is with `pool_mode = transaction`. */
export interface Pooler {
  /** The same URL, by this way. */
  through(url: string): string;
  close(): Promise<void>;
}

const SESSIONS = 2;

/** One session of the server behind a client's connection. */
interface Session {
  readonly socket: Socket;
  /** Before its first `READY` a session says who it is; of all but the first nobody hears that. */
  isReady: boolean;
}

/**
 * Gives each transaction of a client another session of the server, in turn: what a session knows of an earlier statement (a lock,
 * a LISTEN, a setting, a prepared statement) is gone with the next one. Clients are those of one user who needs no password.
 */
export async function startPooler(target: number): Promise<Pooler> {
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    sockets.add(client);
    client.setNoDelay(true);
    let turn = 0;
    let sessions: readonly Session[] = [];
    /** The session that the transaction under way has. */
    let current: Session | null = null;
    const waiting: Buffer[] = [];
    const end = (): void => {
      client.destroy();
      for (const { socket } of sessions) socket.destroy();
    };

    const send = (message: Buffer): void => {
      if (!sessions.every(({ isReady }) => isReady)) {
        waiting.push(message);
        return;
      }
      current ??= sessions[turn++ % SESSIONS] ?? null;
      current?.socket.write(message);
    };
    const toServer = framed((message, type) => (type === TERMINATE ? end() : send(message)));

    const open = (startup: Buffer, position: number): Session => {
      const socket = connect(target, '127.0.0.1');
      sockets.add(socket);
      const session: Session = { socket, isReady: false };
      socket.setNoDelay(true);
      socket.write(startup);
      const passOn = framed((message, type) => {
        const isHeard = session.isReady ? session === current : position === 0;
        if (isHeard) client.write(message);
        if (type !== READY) return;
        if (session.isReady && message.at(-1) === IDLE) current = null;
        session.isReady = true;
        if (sessions.every(({ isReady }) => isReady)) for (const one of waiting.splice(0)) send(one);
      });
      socket.on('data', passOn);
      socket.on('close', end);
      socket.on('error', end);
      return session;
    };

    client.once('data', (startup: Buffer) => {
      sessions = Array.from({ length: SESSIONS }, (_, position) => open(startup, position));
      client.on('data', toServer);
    });
    client.on('close', end);
    client.on('error', end);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;

  return {
    through(url) {
      const changed = new URL(url);
      changed.hostname = '127.0.0.1';
      changed.port = String(port);
      return changed.href;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
