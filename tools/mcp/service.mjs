// A service of this checkout in a process of its own, on a free port.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const LISTENS_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 10_000;

/**
 * `use` is given the address of what `script` starts, which keeps its data in the folder `data`. It ends with `use`, by
 * itself, and with this process. `settings` are variables of its own.
 */
export async function withService(script, data, use, settings = {}) {
  const child = spawn(process.execPath, [script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      // Its line at info names the address.
      LOG_LEVEL: 'info',
      FLOWGATE_DATA_DIR: data,
      FLOWGATE_SHUTDOWN_GRACE_MS: '0',
      ...settings,
    },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = new Promise((done) => child.once('close', (code, signal) => done(code ?? signal)));
  try {
    const result = await use(await within(LISTENS_WITHIN_MS, addressOf(child), `${script} does not listen`));
    child.kill('SIGTERM');
    // What a client has left open must not keep the service from ending.
    const code = await within(ENDS_WITHIN_MS, ended, `${script} goes on after SIGTERM`);
    if (code !== 0) throw new Error(`${script} ended with ${code}: see above.`);
    return result;
  } finally {
    kill();
    await ended;
    process.off('exit', kill);
  }
}

function addressOf(child) {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (line) => {
      const found = /listens on (http:[^\s"]+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    lines.once('close', () => reject(new Error('The service ended before it listened: see above.')));
    child.once('error', reject);
  });
}

async function within(milliseconds, promise, what) {
  const stop = new AbortController();
  const late = delay(milliseconds, null, { signal: stop.signal }).then(() => {
    throw new Error(`${what} within ${milliseconds / 1_000} s.`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop.abort();
    late.catch(() => undefined);
  }
}
