import { randomUUID } from 'node:crypto';
import { withSum } from '../../support/exports.js';
import { eventually } from '../../support/eventually.js';
import { type Service } from '../../support/service.js';
import type { PageRequest } from './exchange.js';

/** The status that a page's placeholder stands for. */
const PLACEHOLDER = /\{(paused|completed|failed|cancelled|running|half|imported)\}/;
/** An export: of a run that is not here, that is, or that somebody has changed. */
const EXPORT = /^\{(?:(known|changed) )?export\}$/;

const SESSION = '{session}';

/** A run or a session such as a row asks for, and what to put in place of what the row says. */
export async function runsFor(
  service: Service,
  { path, headers, body = '' }: PageRequest,
): Promise<ReadonlyMap<string, string>> {
  if (Object.values(headers).includes(SESSION)) return new Map([[SESSION, await sessionOf(service)]]);
  const [asExport, what] = EXPORT.exec(body) ?? [];
  if (asExport !== undefined) return new Map([[asExport, await exportFor(service, what)]]);
  const [placeholder, wanted] = PLACEHOLDER.exec(path) ?? [];
  if (placeholder === undefined) return new Map();
  const named = /^\/workflows\/([^/]+)/.exec(path)?.[1] ?? '';
  // Of a workflow that does not exist, or that is not named, there is no run: one of another is used.
  const workflowId = named === 'nobody' || named === '' ? 'refund' : named;
  if (wanted === 'imported') {
    const { body: imported } = await service.post('/runs/import', await exportFor(service));
    return new Map([[placeholder, imported.runId]]);
  }
  const isLive = wanted === 'running';
  const { runId } = await service.start(workflowId, { input: { amount: 40 }, sync: !isLive });
  const run = `/workflows/${workflowId}/runs/${runId}`;
  if (wanted === 'completed') await service.post(`${run}/hitl`, { approved: true });
  if (wanted === 'failed') await service.post(`${run}/hitl`, { approved: false });
  if (wanted === 'cancelled') await service.post(`${run}/cancel`, {});
  if (wanted === 'half') await service.post(`${run}/hitl`, { approved: true, gateId: 3 });
  const instead = new Map([[placeholder, runId]]);
  if (body.includes('{checkpoint}')) {
    const { body: list } = await eventually(
      () => service.get(`${run}/snapshots`),
      (answer) => answer.body.snapshots.length > 0,
    );
    instead.set('{checkpoint}', list.snapshots.at(-1).snapshotId);
  }
  return instead;
}

async function exportFor(service: Service, what?: string): Promise<string> {
  const { runId } = await service.start('refund', { input: { amount: 40 }, sync: true });
  const run = `/workflows/refund/runs/${runId}`;
  await service.post(`${run}/hitl`, { approved: true });
  const { text } = await service.get(`${run}/export`);
  if (what === 'known') return text;
  if (what === 'changed') return text.replace('"refund"', '"Refund"');
  const elsewhere = text.replaceAll(runId, randomUUID());
  return withSum(elsewhere.trimEnd().split('\n').slice(0, -1));
}

async function sessionOf(service: Service): Promise<string> {
  const clientInfo = { name: 'page', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { headers } = await service.post(
    '/mcp',
    { jsonrpc: '2.0', id: 1, method: 'initialize', params },
    { accept: 'application/json, text/event-stream' },
  );
  return String(headers['mcp-session-id']);
}
