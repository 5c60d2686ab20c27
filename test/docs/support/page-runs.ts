import { eventually, type Service } from '../../support/service.js';
import type { PageRequest } from './exchange.js';

/** The status that a page's placeholder stands for. */
const PLACEHOLDER = /\{(paused|completed|failed|running|half)\}/;

/** A run such as a row asks for, and what to put in place of what the row says. */
export async function runsFor(
  service: Service,
  { path, body = '' }: PageRequest,
): Promise<ReadonlyMap<string, string>> {
  const [placeholder, wanted] = PLACEHOLDER.exec(path) ?? [];
  if (placeholder === undefined) return new Map();
  const named = /^\/workflows\/([^/]+)/.exec(path)?.[1] ?? '';
  // Of a workflow that does not exist there is no run: one of another is asked for.
  const workflowId = named === 'nobody' ? 'refund' : named;
  const isLive = wanted === 'running';
  const { runId } = await service.start(workflowId, { input: { amount: 40 }, sync: !isLive });
  const run = `/workflows/${workflowId}/runs/${runId}`;
  if (wanted === 'completed') await service.post(`${run}/hitl`, { approved: true });
  if (wanted === 'failed') await service.post(`${run}/hitl`, { approved: false });
  if (wanted === 'half') await service.post(`${run}/hitl`, { approved: true, gateId: 3 });
  const instead = new Map([[placeholder, runId]]);
  if (body.includes('{checkpoint}')) {
    const { body: list } = await eventually(
      () => service.get(`${run}/snapshots`),
      (answer) => answer.body.snapshots.length > 0,
    );
    instead.set('{checkpoint}', list.snapshots[0].snapshotId);
  }
  return instead;
}
