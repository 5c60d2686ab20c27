// A PostgreSQL of its own, for tests, benchmarks and examples: started on a free port of 127.0.0.1, and treated badly.
import { execFile, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from './free-port.mjs';
import { childrenOf, isAlive, signal } from './processes.mjs';
import { postgresPrograms } from './programs.mjs';

const STARTS_WITHIN_MS = 60_000;
const FOLLOWS_WITHIN_MS = 30_000;
/** Processes that were killed are gone much sooner. */
const GONE_WITHIN_MS = 10_000;
const LOOK_EVERY_MS = 20;
/** A program of PostgreSQL that has not ended by then hangs. */
const RUN_WITHIN_MS = 300_000;
const LOG_CHARS = 256 * 1024;
const READY = /database system is ready to accept (read-only )?connections/;

/** PostgreSQL refuses to run as root: there it runs as `nobody`, of the group of the same number. */
const NOBODY = 65_534;
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const execute = promisify(execFile);

export async function startPostgres({ folder, settings = {}, superuser = 'postgres', initdb = [] } = {}) {
  const server = new PostgresServer({ ...folderFor(folder), settings, superuser, port: await freePort() });
  try {
    // Its messages are read below, in English.
    const locale = ['--lc-messages=C', '-E', 'UTF8', '--auth=trust'];
    await server.run('initdb', ['-D', server.data, '-U', superuser, ...locale, ...initdb]);
    await server.start();
    return server;
  } catch (error) {
    await server.stop();
    throw error;
  }
}

export class PostgresServer {
  log = '';
  version = '';
  #child = null;
  #settings;
  #folder;
  #isOwnFolder;

  constructor({ folder, isOwnFolder, settings, superuser, port }) {
    this.#folder = folder;
    this.#isOwnFolder = isOwnFolder;
    this.#settings = settings;
    this.data = join(folder, 'data');
    this.superuser = superuser;
    this.port = port;
    this.programs = postgresPrograms();
  }

  get pid() {
    const { pid = 0, exitCode = null, signalCode = null } = this.#child ?? {};
    return exitCode === null && signalCode === null ? pid : 0;
  }

  url({ database = 'postgres', user = this.superuser, password = '' } = {}) {
    const secret = password === '' ? '' : `:${encodeURIComponent(password)}`;
    return `postgresql://${user}${secret}@127.0.0.1:${this.port}/${database}`;
  }

  async start() {
    this.version = (await this.run('postgres', ['--version'])).trim();
    const own = { listen_addresses: '127.0.0.1', unix_socket_directories: this.#folder };
    const settings = Object.entries({ ...this.#settings, ...own }).flatMap(([name, value]) => [
      '-c',
      `${name}=${value}`,
    ]);
    this.#child = spawn(
      join(this.programs, 'postgres'),
      ['-D', this.data, '-p', String(this.port), ...settings],
      { ...identity, cwd: this.#folder, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    await this.#untilReady(this.#child);
  }

  async stop() {
    await this.#end('SIGINT');
    if (this.#isOwnFolder) rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10 });
  }

  async restartImmediately() {
    await this.#end('SIGQUIT');
    await this.start();
  }

  async kill() {
    const { pid } = this;
    if (pid === 0) return;
    const ended = endOf(this.#child);
    // Once it is stopped the first makes no others; and as long as one of the others lives, no start is possible.
    signal(pid, 'SIGSTOP');
    const all = [pid, ...childrenOf(pid)];
    for (const one of all) signal(one, 'SIGKILL');
    await ended;
    for (const giveUpAt = Date.now() + GONE_WITHIN_MS; all.some(isAlive) && Date.now() < giveUpAt;)
      await delay(LOOK_EVERY_MS);
  }

  freeze() {
    const { pid } = this;
    if (pid === 0) return;
    signal(pid, 'SIGSTOP');
    for (const one of childrenOf(pid)) signal(one, 'SIGSTOP');
  }

  thaw() {
    const { pid } = this;
    if (pid === 0) return;
    for (const one of [...childrenOf(pid), pid]) signal(one, 'SIGCONT');
  }

  execute(statements, database = 'postgres') {
    const each = [statements].flat().flatMap((statement) => ['-c', statement]);
    return this.run('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', database, ...each]);
  }

  async createDatabase(name, options = '') {
    await this.execute(`CREATE DATABASE "${name}" ${options}`);
  }

  async run(program, args) {
    const address = { PGHOST: '127.0.0.1', PGPORT: String(this.port), PGUSER: this.superuser };
    const { stdout } = await execute(join(this.programs, program), args, {
      ...identity,
      cwd: '/',
      env: { ...process.env, LC_ALL: 'C', ...address },
      encoding: 'utf8',
      timeout: RUN_WITHIN_MS,
      maxBuffer: 256 * 1024 * 1024,
    });
    return stdout;
  }

  async standby(name = 'standby') {
    const settings = this.#settings;
    const { superuser } = this;
    const standby = new PostgresServer({ ...folderFor(), settings, superuser, port: await freePort() });
    try {
      const primary = `host=127.0.0.1 port=${this.port} user=${superuser} application_name=${name}`;
      // -R writes down whom it follows, and under which name.
      await this.run('pg_basebackup', [
        '-D',
        standby.data,
        '-d',
        primary,
        '-R',
        '-X',
        'stream',
        '-c',
        'fast',
      ]);
      await standby.start();
      const wait = `ALTER SYSTEM SET synchronous_standby_names = '${name}'`;
      await this.execute([wait, 'SELECT pg_reload_conf()']);
      await this.#untilFollowedBy(name);
      return standby;
    } catch (error) {
      await standby.stop();
      throw error;
    }
  }

  async promote() {
    await this.run('pg_ctl', ['promote', '-D', this.data, '-w', '-t', '60']);
  }

  /** Ends the first process by that signal, which ends all others. */
  async #end(name) {
    const { pid } = this;
    if (pid === 0) return;
    const ended = endOf(this.#child);
    // One that is frozen hears nothing.
    this.thaw();
    signal(pid, name);
    await ended;
  }

  #untilReady(child) {
    return new Promise((resolve, reject) => {
      let said = '';
      let isReady = false;
      const fail = (why) => {
        clearTimeout(timer);
        reject(new Error(`postgres did not start: ${why}\n${said.slice(-2_000)}`));
      };
      const timer = setTimeout(() => fail('it took too long'), STARTS_WITHIN_MS);
      child.once('error', (error) => fail(error.message));
      child.once('exit', (code, by) => fail(`it ended with ${code ?? by}`));
      child.stderr.setEncoding('utf8').on('data', (chunk) => {
        this.log = (this.log + chunk).slice(-LOG_CHARS);
        if (isReady) return;
        said += chunk;
        isReady = READY.test(said);
        if (!isReady) return;
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async #untilFollowedBy(name) {
    const giveUpAt = Date.now() + FOLLOWS_WITHIN_MS;
    const question = `SELECT sync_state FROM pg_stat_replication WHERE application_name = '${name}'`;
    while ((await this.execute(question)).trim() !== 'sync') {
      if (Date.now() > giveUpAt) throw new Error(`${name} does not follow: ${this.log.slice(-1_000)}`);
      await delay(LOOK_EVERY_MS);
    }
  }
}

function endOf(child) {
  return new Promise((resolve) => child.once('exit', resolve));
}

/** The server's user has to be let into its folder; none is given: a temporary one. */
function folderFor(given) {
  const folder = given ?? mkdtempSync(join(tmpdir(), 'flowgate-postgres-'));
  if (identity.uid !== undefined) chownSync(folder, NOBODY, NOBODY);
  return { folder, isOwnFolder: given === undefined };
}
