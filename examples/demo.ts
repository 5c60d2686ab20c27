// `npm run demo`: starts a service of its own, in memory, plays every example on it, and stops it. A line per example;
// `npm run demo -- --verbose` prints all that they print. With FLOWGATE_URL it plays them on the service that is there.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { startService } from '../bench/support/service.ts';

/** What an example says of itself (lib/show.mjs). */
interface Seen {
  readonly seen: string;
  readonly status: string;
  readonly durationMs: number;
}

const folder = new URL('.', import.meta.url);
// `npm run demo --verbose` keeps the flag for npm itself.
const isVerbose = process.argv.includes('--verbose') || process.env['npm_config_loglevel'] === 'verbose';
// That in Java has no run.mjs: `npm run test:java` plays it.
const names = (await readdir(folder))
  .filter((name) => /^\d\d-/.test(name) && existsSync(new URL(`${name}/run.mjs`, folder)))
  .sort();
const widest = Math.max(...names.map((name) => name.length));

const running = process.env['FLOWGATE_URL'];
const own =
  running === undefined
    ? await startService('dist/main.js', { FLOWGATE_STORE: 'memory', LOG_LEVEL: 'warn' })
    : null;
// Also where nobody reads on: `npm run demo | head -3` ends this process in the middle.
const kill = (): void => void (own && process.kill(own.pid));
process.once('exit', kill);
try {
  const failed = await playAll(running ?? own?.url ?? '');
  const played = names.length - failed.length;
  if (failed.length === 0) {
    console.log(
      `\n${played} examples played.${isVerbose ? '' : ' What they print: npm run demo -- --verbose'}`,
    );
  } else {
    console.log(`\n${played} of ${names.length} examples played; these failed: ${failed.join(', ')}`);
    process.exitCode = 1;
  }
} finally {
  process.off('exit', kill);
  await own?.stop();
}

/** The names of those that failed. */
async function playAll(url: string): Promise<readonly string[]> {
  const failed: string[] = [];
  for (const name of names) {
    if (isVerbose) console.log(`\n# ${name}\n`);
    const { code, said, seen } = await play(new URL(`${name}/run.mjs`, folder), url);
    const label = name.padEnd(widest);
    if (code === 0 && seen !== null) {
      console.log(`✓ ${label}  ${seen.seen}: ${seen.status} in ${seen.durationMs} ms`);
    } else {
      failed.push(name);
      console.log(`✗ ${label}  ended with ${code}${isVerbose ? '' : `\n${said.trimEnd()}`}`);
    }
  }
  return failed;
}

/** Verbose, it prints as it goes; else what it said is kept for the case that it fails. */
function play(script: URL, url: string): Promise<{ code: number | string; said: string; seen: Seen | null }> {
  return new Promise((resolve, reject) => {
    const output = isVerbose ? 'inherit' : 'pipe';
    const child = spawn(process.execPath, [fileURLToPath(script)], {
      env: { ...process.env, FLOWGATE_URL: url },
      stdio: ['ignore', output, output, 'ipc'],
    });
    let said = '';
    let seen: Seen | null = null;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.on('message', (message) => (seen = message as Seen));
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code: code ?? signal ?? 'nothing', said, seen }));
  });
}
