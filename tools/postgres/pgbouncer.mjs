// A PgBouncer of its own before a server, for tests and measurements.
import { spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.mjs';
import { pgBouncerProgram } from './programs.mjs';

const STARTS_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 20;
const LOG_CHARS = 64 * 1024;

/** Like PostgreSQL it refuses to run as root. */
const NOBODY = 65_534;
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

export async function startPgBouncer({ port: target, user, mode = 'transaction', sessions = 4 }) {
  const folder = mkdtempSync(join(tmpdir(), 'flowgate-pgbouncer-'));
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${target} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${sessions}
max_client_conn = 500
`,
  );
  if (identity.uid !== undefined) for (const path of [folder, file]) chownSync(path, NOBODY, NOBODY);
  const child = spawn(pgBouncerProgram(), [file], { ...identity, stdio: ['ignore', 'ignore', 'pipe'] });
  const bouncer = new PgBouncer(child, folder, port);
  await bouncer.untilReady();
  return bouncer;
}

export class PgBouncer {
  log = '';
  #child;
  #ended;
  #folder;

  constructor(child, folder, port) {
    this.#child = child;
    this.#folder = folder;
    this.port = port;
    this.#ended = new Promise((resolve) => {
      child.once('exit', resolve);
      child.once('error', resolve);
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => (this.log = (this.log + chunk).slice(-LOG_CHARS)));
  }

  through(url) {
    const changed = new URL(url);
    changed.hostname = '127.0.0.1';
    changed.port = String(this.port);
    return changed.href;
  }

  async stop() {
    if (this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill('SIGTERM');
    await this.#ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async untilReady() {
    for (const giveUpAt = Date.now() + STARTS_WITHIN_MS; ;) {
      if (await answers(this.port)) return;
      if (this.#child.exitCode === null && Date.now() < giveUpAt) {
        await delay(LOOK_EVERY_MS);
        continue;
      }
      await this.stop();
      throw new Error(`pgbouncer did not start: ${this.log.slice(-1_000)}`);
    }
  }
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
