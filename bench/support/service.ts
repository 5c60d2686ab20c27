import { spawn, type ChildProcess } from 'node:child_process';
import { connect, createServer } from 'node:net';

/** A program in a process of its own, so that the load does not share its event loop. */
export interface BenchService {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const ANSWERS_WITHIN_MS = 20_000;

/** One of ours, or a peer's: a script that Node runs, which listens on `PORT` and answers there. */
export async function startService(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<BenchService> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  return startProgram(process.execPath, [script], { ...env, PORT: String(port) }, url);
}

/** Any program; it is there once one can connect to `url`. */
export async function startProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  url: string,
): Promise<BenchService> {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const service = { url, pid: child.pid ?? 0, stop: () => stop(child) };
  try {
    await answers(url, child);
  } catch (error) {
    await service.stop();
    throw error;
  }
  return service;
}

/** It listens last of all, so whoever can connect is served; what it speaks does not matter. */
async function answers(url: string, child: ChildProcess): Promise<void> {
  let failure: Error | null = null;
  child.once('error', (error) => (failure = error));
  const deadline = performance.now() + ANSWERS_WITHIN_MS;
  while (performance.now() < deadline) {
    if (failure !== null) throw failure;
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}.`);
    if (await canConnect(new URL(url))) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${child.spawnfile} does not answer.`);
}

function canConnect({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No free port.');
  return address.port;
}
