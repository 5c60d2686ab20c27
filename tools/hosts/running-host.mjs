// The application of a host in a process of its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const START_WITHIN_MS = 60_000;
const END_WITHIN_MS = 20_000;

/** Resolves once it listens. */
export async function startHost(folder, node) {
  const child = spawn(node, [join('dist', 'main.js')], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'close');
  const within = (milliseconds, promise, message) =>
    Promise.race([
      promise,
      delay(milliseconds, null, { ref: false }).then(() => assert.fail(`${message}\n${said}`)),
    ]);
  const listening = async () => {
    for (;;) {
      const url = /listens on (http:\S+)/.exec(said)?.[1];
      if (url !== undefined) return url;
      assert.equal(child.exitCode, null, `It ended before it listened:\n${said}`);
      await Promise.race([once(child.stdout, 'data'), ended]);
    }
  };
  try {
    const url = await within(START_WITHIN_MS, listening(), 'It does not listen:');
    return {
      url,
      said: () => said,
      kill: () => child.kill('SIGKILL'),
      /** `app.close()`, after which nothing may keep the process alive. */
      async close() {
        child.stdin.end();
        const [code, signal] = await within(END_WITHIN_MS, ended, 'It goes on after app.close():');
        assert.equal(code, 0, `After app.close() it ended with ${code ?? signal}:\n${said}`);
      },
    };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}
