// `npm run demo`: starts a service of its own, in memory, plays every example on it, and stops it.
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { startService } from '../bench/support/service.ts';

const folder = new URL('.', import.meta.url);
const service = await startService('dist/main.js', { FLOWGATE_STORE: 'memory', LOG_LEVEL: 'warn' });
try {
  const names = (await readdir(folder)).filter((name) => /^\d\d-/.test(name)).sort();
  for (const name of names) {
    console.log(`\n# ${name}\n`);
    await play(new URL(`${name}/run.mjs`, folder));
  }
  console.log(`\n${names.length} examples played.`);
} finally {
  await service.stop();
}

function play(script: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script.pathname], {
      env: { ...process.env, FLOWGATE_URL: service.url },
      stdio: 'inherit',
    });
    child.once('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`${script.pathname} ended with ${code}.`)),
    );
  });
}
