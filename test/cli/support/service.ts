import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { start } from './built-cli.js';

/** `flowgate serve` in a process of its own, with its runs in memory. */
export interface Service {
  readonly address: string;
  stop(): Promise<void>;
}

export async function startService(env: Readonly<Record<string, string>> = {}): Promise<Service> {
  const child: ChildProcess = start(['serve', '--port', '0', '--store', 'memory'], { env });
  const exit = once(child, 'close');
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text: Buffer) => (said += text.toString()));
  }
  for (;;) {
    const address = /listens on (http:\/\/[^\s"]+)/.exec(said)?.[1];
    if (address !== undefined) {
      const stop = async (): Promise<void> => {
        child.kill('SIGKILL');
        await exit;
      };
      return { address, stop };
    }
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It ended: ${said}`);
    await Promise.race([once(child.stdout ?? child, 'data'), exit]);
  }
}
