import { setTimeout as delay } from 'node:timers/promises';
import type { DriverDatabase, Session } from '../../../src/engine/drivers/postgres/session.js';

const LOOK_EVERY_MS = 5;
/** So long after an answer a notification that it caused is there. */
const QUIET_LOOKS = 3;

/** A way to the database that knows what is under way on it: a test can wait until all has been answered. */
export class WatchedDatabase implements DriverDatabase {
  /** The processes of the server that serve its sessions, in the order of their beginnings. */
  readonly sessionPids: number[] = [];
  private pending = 0;

  constructor(private readonly database: DriverDatabase) {}

  get lockSpace(): number {
    return this.database.lockSpace;
  }

  get opened(): Promise<void> {
    return this.database.opened;
  }

  get isAnswered(): boolean {
    return this.pending === 0;
  }

  query(...statement: Parameters<DriverDatabase['query']>): ReturnType<DriverDatabase['query']> {
    return this.during(this.database.query(...statement));
  }

  async openSession(): Promise<Session> {
    return this.during(this.open());
  }

  private async open(): Promise<Session> {
    const session = await this.database.openSession();
    const [row] = await session.query('SELECT pg_backend_pid() AS pid');
    this.sessionPids.push(Number(row?.['pid']));
    return {
      ended: session.ended,
      query: (sql, values) => this.during(session.query(sql, values)),
      script: (sql) => this.during(session.script(sql)),
      onNotification: (listener) => session.onNotification(listener),
      end: () => session.end(),
    };
  }

  private async during<T>(work: Promise<T>): Promise<T> {
    this.pending += 1;
    try {
      return await work;
    } finally {
      this.pending -= 1;
    }
  }
}

/** Resolves once all of them have had their answers, and nothing has followed from those for a while. */
export async function untilQuiet(databases: readonly WatchedDatabase[]): Promise<void> {
  for (let quiet = 0; quiet < QUIET_LOOKS;) {
    await delay(LOOK_EVERY_MS);
    quiet = databases.every(({ isAnswered }) => isAnswered) ? quiet + 1 : 0;
  }
}
