import { here, refine } from '../../app/router.js';
import { nodePathOf } from '../../../../src/engine/core/plan/node-path.js';
import type { FullRunRecord } from 'flowgate-client/remote';
import type { Execution, RunPicture } from '../log/picture.js';

/** What all tabs show as selected: an execution, or a place of the document at which none is. */
export interface Selection {
  readonly execution: Execution | null;
  readonly path: string | null;
}

/** It stands in the address: a link to it shows the same. */
export function selectionIn(picture: RunPicture, record: FullRunRecord | null): Selection {
  const { at, path } = here.value.query;
  if (at !== undefined) {
    const execution = picture.executions.find(({ id }) => id === Number(at)) ?? null;
    return { execution, path: execution?.path ?? null };
  }
  if (path !== undefined) return { execution: latestAt(picture, path), path };
  const failed = failedOf(picture, record);
  return { execution: failed, path: failed?.path ?? failedPathOf(record) };
}

export function selectExecution({ id }: Execution): void {
  refine({ at: String(id), path: undefined });
}

export function selectPath(picture: RunPicture, path: string): void {
  const execution = latestAt(picture, path);
  if (execution === null) refine({ at: undefined, path });
  else selectExecution(execution);
}

export function selectNothing(): void {
  refine({ at: 'none', path: undefined });
}

/** The failure after the one that is selected, and after the last the first again. */
export function selectNextFailure(
  picture: RunPicture,
  record: FullRunRecord | null,
  { execution }: Selection,
): void {
  const failed = picture.executions.filter(({ state }) => state === 'failed');
  const next = failed.find(({ id }) => id > (execution?.id ?? -Infinity)) ?? failed[0];
  const path = failedPathOf(record);
  if (next !== undefined) selectExecution(next);
  // Nothing was called where the run failed.
  else if (path !== null) selectPath(picture, path);
}

function latestAt(picture: RunPicture, path: string): Execution | null {
  return picture.executions.findLast((execution) => execution.path === path) ?? null;
}

/** Where the run failed, as the log names it; null: it did not, or nobody knows. */
export function failedPathOf(record: FullRunRecord | null): string | null {
  const path = record?.failure?.path ?? null;
  return path === null ? null : nodePathOf(path);
}

/** What the run failed with: a run opens there. */
function failedOf(picture: RunPicture, record: FullRunRecord | null): Execution | null {
  const failure = record?.failure;
  if (failure === null || failure === undefined) return null;
  const path = failedPathOf(record);
  return (
    picture.executions.findLast(
      ({ state, path: at, unitId }) =>
        state === 'failed' && (path === null ? unitId === failure.unitId : at === path),
    ) ??
    picture.executions.findLast(({ state }) => state === 'failed') ??
    null
  );
}
