import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Every name that ends in .test is this machine, as a page's owner could have its own resolve. */
const RESOLVER = 'MAP *.test 127.0.0.1';
const FLAGS = [
  '--headless',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
  `--host-resolver-rules=${RESOLVER}`,
];

/** Opens the address in a real Chromium with a fresh profile, for as long as `during` takes. */
export async function visit<T>(url: string, during: () => Promise<T>): Promise<T> {
  return inBrowser([url], during);
}

/** Of the page's own time: what it does after it is loaded is done by then. */
const DRAWN_WITHIN_MS = 10_000;

/** What the page at the address is once it is loaded and drawn: its document as HTML. */
export async function pageAt(url: string): Promise<string> {
  let html = '';
  await inBrowser(['--dump-dom', `--virtual-time-budget=${DRAWN_WITHIN_MS}`, url], (child) => {
    child.stdout?.on('data', (chunk: Buffer) => (html += chunk.toString()));
    return new Promise((resolve) => child.once('close', resolve));
  });
  return html;
}

async function inBrowser<T>(
  args: readonly string[],
  during: (child: ChildProcess) => Promise<T>,
): Promise<T> {
  const program = process.env['CHROMIUM_PATH'];
  if (program === undefined)
    throw new Error('CHROMIUM_PATH is not set: start these tests with npm run test:browser');
  const profile = mkdtempSync(join(tmpdir(), 'flowgate-browser-'));
  // Its own sandbox is not to be had as root, which CI is.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const child = spawn(program, [...FLAGS, ...sandbox, `--user-data-dir=${profile}`, ...args], {
    // A group of its own, so that the end of it is the end of all its processes.
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  try {
    return await Promise.race([during(child), failed(child)]);
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await closed;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Rejects when the program cannot be started. */
function failed(child: ChildProcess): Promise<never> {
  return new Promise((_resolve, reject) => child.once('error', reject));
}
