import type { ForkOptions, SyncUntil } from 'flowgate-client';
import { UsageError } from '../command-errors.js';
import { EXIT, exitCodeOf } from '../exit-code.js';
import { readInput, readJsonValue } from '../input/read-json.js';
import { askingAbout } from './server/asking.js';
import type { OutputArguments } from './server/output-format.js';
import { followedOnScreen } from './output/followed.js';
import { showRun } from './output/shown.js';
import { labelsOf } from './lists/labels.js';
import type { RunArguments, ServerArguments } from './server/server-options.js';

export type ForkArguments = ServerArguments &
  OutputArguments &
  RunArguments & {
    readonly snapshot?: string | undefined;
    readonly unit?: string | undefined;
    readonly occurrence?: number | undefined;
    readonly input?: string | undefined;
    readonly state?: string | undefined;
    readonly unitInput?: string | undefined;
    readonly current?: boolean | undefined;
    readonly label?: readonly string[] | undefined;
    readonly sync?: boolean | undefined;
    readonly until?: SyncUntil | undefined;
    readonly wait?: boolean | undefined;
    readonly key?: string | undefined;
  };

/** A caller that waits for the fork gets the fork's status as the exit code. */
export async function fork(given: ForkArguments): Promise<number> {
  const { sync = false, until: syncUntil, wait = false } = given;
  const options = await optionsOf(given);
  const record = await askingAbout(given, async (client, { workflowId, runId }, signal) => {
    const forked = await client.fork(workflowId, runId, { ...options, sync, syncUntil, signal });
    if (!wait) return forked;
    return followedOnScreen({ client, workflowId, runId: forked.runId, signal, untilPaused: true });
  });
  await showRun(record, given);
  return sync || wait ? exitCodeOf(record.status) : EXIT.done;
}

async function optionsOf(given: ForkArguments): Promise<ForkOptions> {
  const { input, state, unitInput, current, label, key } = given;
  return {
    from: forkLocationOf(given),
    ...(input === undefined ? {} : { input: await readInput(input) }),
    ...(state === undefined ? {} : { state: await readInput(state, '--state') }),
    ...(unitInput === undefined ? {} : { unitInput: await readJsonValue(unitInput, '--unit-input') }),
    ...(current === true ? { definition: 'current' } : {}),
    labels: labelsOf(label),
    idempotencyKey: key,
  };
}

function forkLocationOf({ snapshot, unit, occurrence }: ForkArguments): ForkOptions['from'] {
  if (snapshot !== undefined) return { snapshotId: snapshot };
  if (unit !== undefined) return occurrence === undefined ? { unitId: unit } : { unitId: unit, occurrence };
  if (occurrence !== undefined) throw new UsageError('--occurrence is of a unit: give --unit too.');
  return undefined;
}
