// A service of this checkout, in memory, on a free port, for the programs that are tried after the tests.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';

const LISTENS_WITHIN_MS = 30_000;

/** `use` is given its address. It ends with `use`, and with this process. */
export async function withService(use) {
  const main = join('dist', 'main.js');
  if (!existsSync(main)) throw new Error('dist/main.js is missing: run `npm run build` first.');
  const env = { ...process.env, HOST: '127.0.0.1', PORT: '0', FLOWGATE_STORE: 'memory' };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const timer = setTimeout(kill, LISTENS_WITHIN_MS);
  try {
    const address = await addressOf(child);
    clearTimeout(timer);
    return await use(address);
  } finally {
    clearTimeout(timer);
    process.off('exit', kill);
    kill();
  }
}

function addressOf(child) {
  const lines = createInterface({ input: child.stdout });
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const found = /listens on (http:[^\s"]+)/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    lines.once('close', () => reject(new Error('The service ended before it listened.')));
    child.once('error', reject);
  });
}
