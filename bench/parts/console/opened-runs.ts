import { setTimeout as delay } from 'node:timers/promises';
import { post } from '../../support/load.ts';

/** Units of the graphs. */
export const MANY = 500;
const ROW = 10;
const PASSES = 7;
/** So many last longer than anybody looks: who started it cancels it. */
const CHANGING_PASSES = 60;
/** What a list shows at once, and a bit. */
const LISTED = 60;

export const THREE = 'three';
const WIDE = 'wide';
const CHANGING = 'changing';

export interface OpenedRun {
  readonly workflowId: string;
  readonly runId: string;
}

export interface LongRun extends OpenedRun {
  readonly events: number;
}

export function addressOf(root: string, { workflowId, runId }: OpenedRun, more = ''): string {
  return `${root}/console/run?workflow=${workflowId}&run=${runId}${more}`;
}

export async function makeManyRuns(root: string): Promise<void> {
  for (let count = 0; count < LISTED; count++)
    await post(`${root}/workflows/${THREE}/runs`, { input: {}, sync: true });
}

/** 500 units in rows of ten: once with all passes at once, for a long log, and once with units that take their time. */
export async function makeWideWorkflows(root: string): Promise<void> {
  const rows = Array.from({ length: MANY / ROW }, (_, row) => ({
    type: 'parallel',
    units: Array.from({ length: ROW }, (_unused, column) => `u${row * ROW + column}`),
  }));
  const passes = { type: 'foreach', items: 'input.items', maxConcurrency: PASSES };
  await register(root, WIDE, () => 0, { ...passes, do: { type: 'sequential', order: rows } });
  await register(root, CHANGING, (index) => 200 + ((index * 37) % 800), {
    ...passes,
    maxConcurrency: 1,
    do: { type: 'parallel', units: rows },
  });
}

async function register(
  root: string,
  id: string,
  delayOf: (index: number) => number,
  flow: object,
): Promise<void> {
  const units = Array.from({ length: MANY }, (_, index) => ({
    id: `u${index}`,
    uses: 'builtin.mock',
    config: { response: index, delayMs: delayOf(index) },
  }));
  const yaml = JSON.stringify({
    apiVersion: 'flowgate/v1',
    kind: 'Workflow',
    metadata: { id },
    spec: { units, flow },
  });
  await post(`${root}/workflows/from-yaml`, { yaml });
}

/** More than ten thousand events: all units, seven times. */
export async function makeLongRun(root: string): Promise<LongRun> {
  const run = await start(root, WIDE);
  for (;;) {
    const { status } = await read<{ readonly status: string }>(root, run, '');
    if (status === 'completed') break;
    if (status === 'failed') throw new Error('The long run failed.');
    await delay(100);
  }
  const { items } = await read<{ readonly items: readonly { readonly seq: number }[] }>(
    root,
    run,
    '/events?tail=1',
  );
  return { ...run, events: items[0]?.seq ?? 0 };
}

/** A run of which all 500 units change, again and again, until it is cancelled. */
export function startChangingRun(root: string): Promise<OpenedRun> {
  return start(root, CHANGING, CHANGING_PASSES);
}

export async function cancel(root: string, { workflowId, runId }: OpenedRun): Promise<void> {
  await post(`${root}/workflows/${workflowId}/runs/${runId}/cancel`, {});
}

async function start(root: string, workflowId: string, passes = PASSES): Promise<OpenedRun> {
  const input = { items: Array.from({ length: passes }, (_, index) => index) };
  const { runId } = (await post(`${root}/workflows/${workflowId}/runs`, { input })) as OpenedRun;
  return { workflowId, runId };
}

async function read<Answer>(root: string, { workflowId, runId }: OpenedRun, path: string): Promise<Answer> {
  const response = await fetch(`${root}/workflows/${workflowId}/runs/${runId}${path}`);
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return (await response.json()) as Answer;
}
