import type { RunRecord } from '../../../src/engine/index.js';
import { StillClock } from './clock.ts';
import { FolderEngine, type Address, type Build } from './engine.ts';
import { ENDPOINT, HEADERS, transportAt } from './remote.ts';
import { LIVES, SITUATIONS } from './situations/all.ts';
import { KEEPS_KILLING } from './situations/in-flight.ts';
import type { Situation } from './situations/situation.ts';
import { take } from './steps.ts';
import { unitsAt, type Called } from './units.ts';

/** A day in June 2025; every life of the writing process begins ten minutes after the one before. */
const BEGAN_AT = 1_750_000_000_000;
const LIFE_MS = 600_000;
const BETWEEN_STEPS_MS = 1_000;
const INPUT = { n: 1, who: 'Ada' };

/** When the folder is opened again: after the last life, long before the first retry that it holds. */
export const OPENED_AT = BEGAN_AT + LIVES.length * LIFE_MS;

/** The same in every folder, so that one manifest does for all. */
export function runIdOf(situation: Situation): string {
  const number = SITUATIONS.indexOf(situation) + 1;
  return `01977420-dc00-7000-8000-${String(number).padStart(12, '0')}`;
}

export function yamlOf({ name, spec }: Situation): string {
  return JSON.stringify({ apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: { id: name }, spec });
}

/** One life of the process that writes the folder: answers the open engine, with its runs as they are to be left. */
export async function live(
  build: Build,
  request: { readonly folder: string; readonly life: number; readonly encryptionKey: Uint8Array | null },
): Promise<FolderEngine> {
  const { folder, encryptionKey } = request;
  const calls: Called[] = [];
  const clock = new StillClock(BEGAN_AT + request.life * LIFE_MS);
  const note = (call: Called): unknown => calls.push(call);
  const starting: { situation: Situation | null } = { situation: null };
  const engine = await FolderEngine.open(build, {
    folder,
    clock,
    encryptionKey,
    units: unitsAt('then', note),
    transport: transportAt('then', note),
    runId: () => {
      if (starting.situation === null) throw new Error('No run was to be started.');
      return runIdOf(starting.situation);
    },
  });
  for (const situation of LIVES[request.life]?.begins ?? []) {
    starting.situation = situation;
    await begin(engine, situation);
    const address = { workflowId: situation.name, runId: runIdOf(situation) };
    await stillness(engine, address, calls);
    for (const step of situation.before ?? []) {
      await clock.pass(BETWEEN_STEPS_MS);
      const faults: unknown[] = [];
      // Not waited for: the run may be about to hang, and then nobody is answered.
      void take(engine, clock, address, step).catch((error: unknown) => faults.push(error));
      await stillness(engine, address, calls);
      if (faults.length > 0) throw new Error(`A step of ${situation.name} failed.`, { cause: faults[0] });
    }
    const { status } = await engine.record(address);
    // Of that one, a later life makes what it is to be.
    if (situation !== KEEPS_KILLING && status !== situation.left) {
      throw new Error(`The run of ${situation.name} is ${status}, and was to be left ${situation.left}.`);
    }
  }
  await stillness(engine, null, calls);
  return engine;
}

async function begin(engine: FolderEngine, situation: Situation): Promise<void> {
  const { name, remote, startKey, input = {} } = situation;
  const binding = { type: 'http', endpoint: ENDPOINT, headers: HEADERS };
  await engine.register(yamlOf(situation), remote === undefined ? {} : { [remote]: binding });
  await engine.start({ workflowId: name, input: { ...INPUT, ...input }, idempotencyKey: startKey });
}

/** Waits until the run changes no more: it stopped, or a unit of it hangs. */
async function stillness(
  engine: FolderEngine,
  address: Address | null,
  calls: readonly Called[],
): Promise<void> {
  let last = '';
  for (let unchanged = 0; unchanged < 10; unchanged++) {
    const record: RunRecord | null = address === null ? null : await engine.record(address);
    const now = JSON.stringify([record, calls.length]);
    if (now !== last) unchanged = 0;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
