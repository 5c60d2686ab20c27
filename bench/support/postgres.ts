import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Scope } from './scope.ts';
import { freePort } from './service.ts';

const WHAT_TO_DO = 'install PostgreSQL (Debian: the package "postgresql"), with initdb and postgres in PATH';
const DEBIAN = '/usr/lib/postgresql';
const INSTALL_WITHIN_MS = 300_000;
const STARTS_WITHIN_MS = 20_000;
const SUPERUSER = 'bench';

/** PostgreSQL refuses to run as root: there it runs as `nobody`, of the group of the same number. */
const NOBODY = 65_534;
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

export const POSTGRES_DURABILITY =
  'as installed: fsync and synchronous_commit on, so that every commit is synced to the disk before an answer';

export interface Postgres {
  /** A database of its own. */
  readonly databaseUrl: string;
  readonly pid: number;
  readonly version: string;
  stop(): Promise<void>;
}

/** An empty server with its defaults, on a free port of 127.0.0.1, in a folder that goes with the scope. */
export async function startPostgres(scope: Scope): Promise<Postgres> {
  const folder = scope.folder();
  return scope.use(startIn(folder));
}

async function startIn(folder: string): Promise<Postgres> {
  const bin = binaries();
  if (identity.uid !== undefined) chownSync(folder, NOBODY, NOBODY);
  const data = join(folder, 'data');
  const made = run(join(bin, 'initdb'), ['-D', data, '-U', SUPERUSER, '--auth=trust', '-E', 'UTF8']);
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr.slice(-500)}`);
  const port = await freePort();
  const settings = [`listen_addresses=127.0.0.1`, `unix_socket_directories=${folder}`];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...identity, cwd: folder, stdio: 'ignore' },
  );
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null || server.pid === undefined) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    // Its "fast" shutdown: it ends connections that are still open.
    server.kill('SIGINT');
    await ended;
  };
  try {
    await createDatabase(bin, port);
  } catch (error) {
    await stop();
    throw error;
  }
  const version = run(join(bin, 'postgres'), ['--version']).stdout.trim();
  return {
    databaseUrl: `postgresql://${SUPERUSER}@127.0.0.1:${port}/bench`,
    pid: server.pid ?? 0,
    version,
    stop,
  };
}

/** The first that works says that the server is there. */
async function createDatabase(bin: string, port: number): Promise<void> {
  const deadline = performance.now() + STARTS_WITHIN_MS;
  let said = '';
  while (performance.now() < deadline) {
    const made = run(join(bin, 'createdb'), [
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
      '-U',
      SUPERUSER,
      'bench',
    ]);
    if (made.status === 0) return;
    said = made.stderr;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`postgres did not start: ${said.slice(-300)}`);
}

function run(program: string, args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync(program, args, { ...identity, cwd: '/', encoding: 'utf8', timeout: 60_000 });
}

/** The folder of its programs; installs Debian's where we may, as on the machines of continuous integration. */
function binaries(): string {
  const found = find();
  if (found !== null) return found;
  if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new Error(WHAT_TO_DO);
  process.stderr.write('No PostgreSQL here: installing it with apt-get\n');
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', 'postgresql']]) {
    const { status, stderr } = spawnSync('apt-get', step, {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: INSTALL_WITHIN_MS,
    });
    if (status !== 0) throw new Error(`${WHAT_TO_DO}; apt-get ${step[0]} said: ${stderr.slice(-300)}`);
  }
  const installed = find();
  if (installed === null) throw new Error(WHAT_TO_DO);
  return installed;
}

function find(): string | null {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : [];
  const folders = [...debian.toSorted().toReversed(), ...(process.env['PATH'] ?? '').split(delimiter)];
  const has = (folder: string) =>
    ['initdb', 'postgres', 'createdb'].every((name) => existsSync(join(folder, name)));
  return folders.find(has) ?? null;
}
