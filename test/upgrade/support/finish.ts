import type { RunRecord } from '../../../src/engine/index.js';
import { StillClock } from './clock.ts';
import {
  FolderEngine,
  refusalOf,
  type Address,
  type Build,
  type OpenRequest,
  type Refusal,
} from './engine.ts';
import { gistOf, withoutTimes } from './gist.ts';
import type { CheckpointGist, Ending, Gist, ManifestRun } from './manifest.ts';
import { HEADERS } from './remote.ts';
import { take } from './steps.ts';
import type { Called } from './units.ts';

/** A folder to be opened, and where its remote unit is now. */
export interface Opening extends Omit<OpenRequest, 'clock'> {
  readonly build: Build;
  readonly openedAt: number;
  readonly endpoint: string;
  /** Filled by the units. */
  readonly calls: readonly Called[];
}

const LATER_MS = 60_000;
/** Real time, unlike all other of these tests. */
const STUCK_AFTER_MS = 8_000;

/** Opens the folder and brings one of its runs to its end; the folder is closed again then. */
export async function finishRun(opening: Opening, run: Omit<ManifestRun, 'ending'>): Promise<Ending> {
  const clock = new StillClock(opening.openedAt);
  const engine = await FolderEngine.open(opening.build, { ...opening, clock });
  const address = { workflowId: run.name, runId: run.runId };
  try {
    if (run.registration !== null) {
      const { yaml, uses } = run.registration;
      const binding = { type: 'http', endpoint: opening.endpoint, headers: HEADERS };
      await engine.register(yaml, uses === null ? {} : { [uses]: binding });
    }
    const found = run.isMoving ? null : await engine.record(address);
    const checkpoints = run.isLookedBackUpon ? await checkpointsOf(engine, address) : null;
    const answers: (Gist | Refusal)[] = [];
    for (const step of run.steps) {
      answers.push(await inTime(take(engine, clock, address, step)).then(gistOf, refusalOf));
    }
    const end = gistOf(await engine.record(address));
    const calls = opening.calls.filter(({ runId }) => runId === run.runId);
    return { found, checkpoints, answers, end, calls: inOrder(calls) };
  } finally {
    await engine.close();
  }
}

/** What the folder says of a run when it is opened once more, by the same build. */
export async function readAgain(opening: Opening, run: ManifestRun): Promise<Gist> {
  const clock = new StillClock(opening.openedAt + LATER_MS);
  const engine = await FolderEngine.open(opening.build, { ...opening, clock });
  try {
    return gistOf(await engine.record({ workflowId: run.name, runId: run.runId }));
  } finally {
    await engine.close();
  }
}

/** By the engine's own clock, which does not move, a request for a run that is stuck would wait for ever. */
async function inTime(answer: Promise<RunRecord>): Promise<RunRecord> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The run does not stop.')), STUCK_AFTER_MS);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}

async function checkpointsOf(engine: FolderEngine, address: Address): Promise<readonly CheckpointGist[]> {
  const gists: CheckpointGist[] = [];
  for (const { snapshotId } of await engine.snapshots(address)) {
    const { after, unitId, completedUnits, state } = await engine.snapshot({ ...address, snapshotId });
    gists.push({ snapshotId, after, unitId, completedUnits, state: withoutTimes(state) });
  }
  return gists;
}

function inOrder(calls: readonly Called[]): readonly Called[] {
  const rank = ({ key, attempt }: Called): string => `${key.padStart(60)}:${attempt}`;
  return [...calls].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}
