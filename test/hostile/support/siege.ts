import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceProcess } from '../../crash/support/service-process.js';
import { freePort } from '../../support/free-port.js';
import { document, mock } from '../../support/workflow-documents.js';
import { Attacker } from './attacker.js';
import { INSPECTOR_OPTIONS } from './kept-memory.js';
import { processorWaitMs } from './process-figures.js';
import { quantile, type WatchReport } from './watch-report.js';
import { startWatcher } from './watcher.js';

const P99_MS = 250;
const PEAK_MIB = 512;
const SERVES_WITHIN_MS = 3_000;
/** The time-out of a request to a service that is gone. */
const GIVE_UP_MS = 15_000;
const WARM_UP_RUNS = 40;
const HONEST = 'honest';

/** The service as an attacker sees it. */
export interface Besieged {
  readonly attacker: Attacker;
  readonly url: string;
  /** The process of the service that is attacked first. */
  readonly pid: number;
  /** What the service wrote so far. */
  readonly output: () => string;
  /** True once the watch is over: an attack that repeats itself stops. */
  readonly isOver: () => boolean;
}

export interface Siege {
  /** Prepares the service before the watch. */
  readonly prepare?: (besieged: Besieged) => Promise<void>;
  /** The attack; what it rejects with is a fault. It may last until `isOver`. */
  readonly attack: (besieged: Besieged) => Promise<void>;
  /** How long it is watched from its first moment, and at least until `attack` has done its opening. */
  readonly watchMs?: number;
  /** How long the next process is watched. 0: the service is not killed. */
  readonly afterRestartMs?: number;
  /**
   * The peak that is allowed, where it is more than 512 MiB: V8 keeps garbage as long as its heap may grow, and by
   * default that is to gigabytes (decision 0040 says what the same attack takes of a heap of 320 MB).
   */
  readonly mostMib?: number;
  /** The 99th of 100 latencies that is allowed, where it is more than 250 ms. */
  readonly mostMs?: number;
  /** What must be so when the watch is over and the service is still up. */
  readonly afterwards?: (besieged: Besieged) => Promise<void>;
}

/**
 * Attacks a service with default settings while others use it, kills it during the attack, and
 * starts it again on the same folder. Returns what the others noticed: nothing, if all is well.
 */
export async function besiege(name: string, siege: Siege): Promise<readonly string[]> {
  const { attack, watchMs = 3_500, afterRestartMs = 1_200, afterwards } = siege;
  const most = { mib: siege.mostMib ?? PEAK_MIB, ms: siege.mostMs ?? P99_MS };
  const dataDir = mkdtempSync(join(tmpdir(), 'flowgate-hostile-'));
  const environment = { PORT: String(await freePort()), NODE_OPTIONS: INSPECTOR_OPTIONS };
  const faults: string[] = [];
  let isOver = false;
  const first = new ServiceProcess({ dataDir, environment });
  const lives = [first];
  try {
    const url = await first.listening;
    const attacker = new Attacker(url);
    const besieged = { attacker, url, pid: first.pid, output: () => first.output, isOver: () => isOver };
    await registerHonest(url);
    await warmUp(url);
    await siege.prepare?.(besieged);

    let attacked = Promise.resolve();
    const report = await watch(first, url, watchMs, () => {
      attacked = attack(besieged).catch((error: unknown) => void faults.push(`the attacker: ${said(error)}`));
    });
    // What the service does by itself continues; an attack that repeats itself stops, and returns its responses.
    isOver = true;
    await Promise.race([attacked, delay(GIVE_UP_MS, null, { ref: false })]);
    faults.push(...faultsOf('under attack', report, most));
    if (afterwards !== undefined) {
      await afterwards(besieged).catch((error: unknown) => void faults.push(said(error)));
    }
    const end = await Promise.race([first.ended, null]);
    if (end !== null) faults.push(`it ended with ${end.code ?? end.signal}: ${end.stderr.slice(-300)}`);
    await first.kill();
    attacker.leave();
    let line = figures(report);

    if (afterRestartMs > 0) {
      const second = new ServiceProcess({ dataDir, environment });
      lives.push(second);
      const servedMs = await servesAfterMs(second, url);
      if (servedMs > SERVES_WITHIN_MS)
        faults.push(`after the restart: serves after ${Math.round(servedMs)} ms`);
      await registerHonest(url).catch(
        (error: unknown) => void faults.push(`after the restart: ${said(error)}`),
      );
      const later = await watch(second, url, afterRestartMs);
      faults.push(...faultsOf('after the restart', later, most));
      line += `; again after ${Math.round(servedMs)} ms, then ${figures(later)}`;
    }
    process.stdout.write(`${name}: ${line}\n`);
    return faults;
  } finally {
    isOver = true;
    await Promise.all(lives.map((life) => life.kill()));
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function watch(
  life: ServiceProcess,
  url: string,
  forMs: number,
  begin: () => void = () => undefined,
): Promise<WatchReport> {
  const watcher = await startWatcher({ url, pid: life.pid, workflowId: HONEST });
  try {
    begin();
    await delay(forMs);
    return await watcher.report();
  } finally {
    watcher.stop();
  }
}

function faultsOf(
  when: string,
  { health, runs, wrong, peakMib }: WatchReport,
  most: { readonly mib: number; readonly ms: number },
): string[] {
  const faults = wrong.map((one) => `${when}: wrong answer to ${one}`);
  for (const [kind, latencies] of Object.entries({ health, runs })) {
    const p99 = quantile(latencies, 0.99);
    if (latencies.length === 0) faults.push(`${when}: ${kind} never answered`);
    if (p99 >= most.ms) {
      faults.push(`${when}: ${kind} took ${Math.round(p99)} ms (99th of 100, of ${latencies.length})`);
    }
  }
  if (peakMib !== null && peakMib >= most.mib) faults.push(`${when}: held ${Math.round(peakMib)} MiB`);
  return faults;
}

function figures({ health, runs, peakMib }: WatchReport): string {
  const of = (values: readonly number[]) =>
    `${Math.round(quantile(values, 0.99))}/${Math.round(values.at(-1) ?? 0)} ms of ${values.length}`;
  return `health p99/max ${of(health)}, runs ${of(runs)}, ${Math.round(peakMib ?? 0)} MiB`;
}

async function registerHonest(url: string): Promise<void> {
  const yaml = document(HONEST, [mock('quick', 'ok')]);
  const { status } = await post(`${url}/workflows/from-yaml`, { yaml });
  if (status !== 201) throw new Error(`an honest workflow cannot be registered: ${status}`);
}

/** Warms the service up, so that the attack is measured, and not the compiler. */
async function warmUp(url: string): Promise<void> {
  for (let run = 0; run < WARM_UP_RUNS; run += 1) {
    await post(`${url}/workflows/${HONEST}/runs`, { sync: true });
    await (await fetch(`${url}/health`)).text();
  }
}

async function post(address: string, body: object): Promise<{ readonly status: number }> {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(GIVE_UP_MS),
  });
  await response.text();
  return response;
}

/** The time from its start to its first response, without the time that other processes kept it waiting. */
async function servesAfterMs(life: ServiceProcess, url: string): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < GIVE_UP_MS) {
    const signal = AbortSignal.timeout(GIVE_UP_MS);
    const isServing = await fetch(`${url}/health`, { signal }).then(
      (response) => response.status === 200,
      () => false,
    );
    if (isServing) break;
    await delay(20);
  }
  return performance.now() - startedAt - processorWaitMs(life.pid);
}

function said(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
