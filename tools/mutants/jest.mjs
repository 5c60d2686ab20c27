import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const START_MS = 90_000;
/** An open handle can keep Jest; by then every test has given its answer. */
const END_MS = 10_000;
const NODE_FLAGS = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  // A mutant that hoards memory ends by itself long before the machine suffers.
  '--max-old-space-size=2048',
  '--import',
  './tools/mutants/watchdog.mjs',
];

/** The process groups that run now: none may outlive the runner. */
const groups = new Set();

export function killAll() {
  for (const pid of groups) killGroup(pid);
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

/**
 * Runs `files` in this order in one Jest process. With a mutant it ends at the first failed test, or when a file takes
 * longer than `limitOf(file)` milliseconds.
 *
 * Answers `{ begun, ended, failed, failures, expired, code, output }`: the file that began last, what each file told at
 * its end, the first failure or null, all of them, whether the process was ended for taking too long.
 */
export function runTests({ sandbox, files, mutant = null, limitOf }) {
  const temporary = join(sandbox, '.tmp/os');
  mkdirSync(temporary, { recursive: true });
  const child = spawn(
    process.execPath,
    [
      ...NODE_FLAGS,
      'node_modules/jest/bin/jest.js',
      '--config=tools/mutants/jest.config.mjs',
      '--runInBand',
      ...(mutant === null ? [] : ['--bail']),
      '--runTestsByPath',
      ...files,
    ],
    {
      cwd: sandbox,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      env: {
        ...process.env,
        TMPDIR: temporary,
        FLOWGATE_PROPERTY_RUNS: '100',
        FLOWGATE_MUTANT: mutant ?? '',
        FLOWGATE_MUTANT_TESTS: files.join('\n'),
        FLOWGATE_MUTANT_CACHE: join(sandbox, '.tmp/jest'),
      },
    },
  );
  groups.add(child.pid);

  const result = {
    begun: files[0],
    ended: [],
    failed: null,
    failures: [],
    expired: false,
    code: null,
    output: '',
  };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (result.output = (result.output + chunk).slice(-4_000)));
  }

  let timer;
  const allow = (milliseconds) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      result.expired = true;
      killGroup(child.pid);
    }, milliseconds);
  };
  allow(START_MS);

  createInterface({ input: child.stdio[3] }).on('line', (line) => {
    const message = JSON.parse(line);
    if (message.begin !== undefined) {
      result.begun = message.begin;
      allow(limitOf(message.begin));
    }
    if (message.end !== undefined) {
      result.ended.push(message);
      allow(result.ended.length === files.length ? END_MS : START_MS);
    }
    if (message.failed === undefined) return;
    result.failures.push(message);
    result.failed ??= message;
    if (mutant !== null) killGroup(child.pid);
  });

  return new Promise((done) => {
    // What the tests started themselves may be left, and hold the pipes open.
    child.on('exit', () => killGroup(child.pid));
    child.on('close', (code) => {
      clearTimeout(timer);
      groups.delete(child.pid);
      try {
        rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
      } catch (error) {
        process.stderr.write(`left behind: ${temporary} (${error.code})\n`);
      }
      done({ ...result, code });
    });
  });
}
