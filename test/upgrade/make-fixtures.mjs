// Writes the data folders that later builds must open (test/fixtures/data-folders/<release>): with the build of a
// release, not with the sources next to this file.
//
//   git worktree add /some/where <release> && cd /some/where && npm ci && npm run build
//   cd - && node_modules/.bin/node test/upgrade/make-fixtures.mjs /some/where/dist
//
// (The Node must read TypeScript: 22.18 or newer, as the one of this project is.)
//
// The folders of a release are made once, when it is out, and never again; `support/engine.ts` must be as that release's
// interface was. Every situation of `support/situations` is one run in each folder. For every life in `LIVES` a process
// of its own opens the folder, brings its runs to where they are left, and closes the folder or kills itself by SIGKILL.
// Then the same build brings each run to its end in a copy of the folder; what it answers, and whom it calls under which
// key, is the manifest. The clock and the ids are fixed: made again, the manifest is the same to the byte.
//
// Of a folder are kept: `runs.db` as the last orderly close left it, and `runs.db-wal` with what the killed process
// wrote since, both gzipped. Not kept: the lock and SQLite's shared memory, which belong to a process; `memory.db`,
// which is built anew from the runs.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { ENCRYPTION_KEY, FOLDERS, fixtureFolder, packFolder, unpackFolder } from './support/data-folders.ts';
import { finishRun } from './support/finish.ts';
import { ENDPOINT, transportAt } from './support/remote.ts';
import { LIVES, SITUATIONS } from './support/situations/all.ts';
import { unitsAt } from './support/units.ts';
import { live, OPENED_AT, runIdOf, yamlOf } from './support/write.ts';

const [, script, dist, ...childArguments] = process.argv;
if (dist === undefined) throw new Error('Name the dist folder of the release: make-fixtures.mjs <dist>');
const { createEngine } = await import(pathToFileURL(resolve(dist, 'engine/index.js')).href);
const { SqliteRunStore } = await import(
  pathToFileURL(resolve(dist, 'storage/sqlite/sqlite-run-store.js')).href
);
const build = { createEngine, SqliteRunStore };
const keyOf = (name) => (name === 'encrypted' ? ENCRYPTION_KEY : null);

if (childArguments.length === 0) await makeAll();
else await liveHere(...childArguments);

/** In the child process. */
async function liveHere(folder, number, name) {
  const life = Number(number);
  const engine = await live(build, { folder, life, encryptionKey: keyOf(name) });
  if (LIVES[life].endsBy === 'kill') process.kill(process.pid, 'SIGKILL');
  await engine.close();
}

async function makeAll() {
  const { version } = JSON.parse(readFileSync(resolve(dist, '../package.json'), 'utf8'));
  const target = fixtureFolder(version);
  if (existsSync(target)) throw new Error(`${target} is there: the folders of a release are made once.`);
  const manifests = [];
  for (const name of FOLDERS) {
    const written = mkdtempSync(join(tmpdir(), 'flowgate-written-'));
    for (const life of LIVES.keys()) spawnLife(written, life, name);
    refuseWithoutStoredState(written);
    packFolder(written, join(target, name));
    rmSync(written, { recursive: true });
    manifests.push({ openedAt: OPENED_AT, runs: await endings(join(target, name), name) });
  }
  if (!manifests.every((manifest) => isDeepStrictEqual(manifest, manifests[0]))) {
    throw new Error('The runs of the encrypted folder end otherwise than those of the plain one.');
  }
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, 'manifest.json'), `${JSON.stringify(manifests[0], null, 2)}\n`);
}

/** One of the runs is there for its stored state; how long a log must be for one is for the build to say. */
function refuseWithoutStoredState(written) {
  const database = new DatabaseSync(join(written, 'runs.db'), { readOnly: true });
  const { count } = database.prepare('SELECT count(*) AS count FROM states').get();
  database.close();
  if (count === 0) throw new Error('No run has a stored state: make the text of the long log longer.');
}

function spawnLife(written, life, name) {
  const args = ['--disable-warning=ExperimentalWarning', script, dist, written, String(life), name];
  const { signal, status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  const isKilled = signal === 'SIGKILL';
  if (isKilled !== (LIVES[life].endsBy === 'kill') || (!isKilled && status !== 0)) {
    throw new Error(`Life ${life} of the ${name} folder ended by ${signal ?? status}.`);
  }
}

/** Every run to its end, each in a copy of the folder of its own. */
async function endings(packed, name) {
  const runs = [];
  for (const situation of SITUATIONS) {
    const run = runOf(situation);
    const copy = mkdtempSync(join(tmpdir(), 'flowgate-finished-'));
    unpackFolder(packed, copy);
    const calls = [];
    const note = (call) => calls.push(call);
    const ending = await finishRun(
      {
        build,
        folder: copy,
        encryptionKey: keyOf(name),
        openedAt: OPENED_AT,
        endpoint: ENDPOINT,
        units: unitsAt('now', note),
        transport: transportAt('now', note),
        calls,
      },
      run,
    );
    rmSync(copy, { recursive: true });
    const { found } = ending;
    if (found !== null && found.status !== situation.left) {
      throw new Error(`${situation.name} is ${found.status}, and was to be left ${situation.left}.`);
    }
    runs.push({ ...run, ending });
  }
  return runs;
}

function runOf(situation) {
  const { is, left, remote = null } = situation;
  const { isRegisteredAgain = false, isCalledAsBound = false, isLookedBackUpon = false } = situation;
  return {
    name: situation.name,
    is,
    runId: runIdOf(situation),
    isMoving: left === 'running',
    isLookedBackUpon,
    steps: situation.after,
    registration: isRegisteredAgain ? { yaml: yamlOf(situation), uses: remote } : null,
    isCalledAsBound,
  };
}
