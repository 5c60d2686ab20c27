import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.js';
import type { BuiltImage } from './built-image.js';
import type { ImagePlan } from './image-plan.js';

/** The process that a container of the image would have. */
export interface RunningImage {
  readonly url: string;
  readonly stdout: () => string;
  /** Executes a command in its container, as an engine executes a health check: its exit code. */
  check(command: readonly string[]): Promise<number | null>;
  stop(): Promise<number | null>;
  kill(): Promise<void>;
}

/** `uid` may write to the volume and to nothing else: the rest belongs to somebody else. */
export async function runImage(
  plan: ImagePlan,
  image: BuiltImage,
  uid: number | null,
): Promise<RunningImage> {
  // The health check has to know it beforehand.
  const port = await freePort();
  const [volume = ''] = plan.volumes;
  const options = {
    cwd: join(image.root, 'app'),
    // Nothing of this process: a container has none of it either.
    env: {
      ...plan.environment,
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      FLOWGATE_DATA_DIR: join(image.root, volume),
    },
    ...(uid === null ? {} : { uid, gid: uid }),
  };
  const [program = '', ...rest] = plan.command;
  const asHere = (name: string): string => (name === 'node' ? image.node : name);
  const child = spawn(asHere(program), rest, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = once(child, 'close');
  while (!said.includes('Flowgate listens on')) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`It ended: ${said}`);
    await Promise.race([once(child.stdout, 'data'), ended]);
  }
  return {
    url: `http://127.0.0.1:${port}`,
    stdout: () => said,
    check: async ([checker = '', ...args]) => {
      const [code] = await once(spawn(asHere(checker), args, { ...options, stdio: 'ignore' }), 'close');
      return code as number | null;
    },
    stop: async () => {
      child.kill(plan.stopSignal as NodeJS.Signals);
      return ((await ended) as [number | null])[0];
    },
    kill: () => endOf(child, ended),
  };
}

async function endOf(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}
