import type { Engine } from '../../../src/engine/index.js';
import type { Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

const policy = { retry: { baseMs: 0, jitter: false } };
const uses = (id: string) => ({ id, uses: `acme.${id}` });

/**
 * Plays runs in which everything happens that there is a message for, and gives each kind with the fields that it had. The
 * service keeps states of less than a million characters.
 */
export async function everyMessage(
  service: Service,
  engine: Engine,
): Promise<ReadonlyMap<string, readonly string[]>> {
  registerUnits(engine);
  const everything = [
    uses('spend'),
    mock('skipped', 1, { if: 'false' }),
    { id: 'again', uses: 'builtin.mock', config: { failTimes: 1 } },
    { id: 'set', uses: 'builtin.set', config: { values: { key: 1 } } },
    gate('gate'),
    uses('break'),
  ];
  const flow = { type: 'delegation', orchestrator: 'lead', specialists: ['help'] };
  await service.register(document('everything', everything, { policy }));
  await service.register(document('team', [uses('lead'), mock('help')], { flow }));
  await service.register(document('outgrown', [uses('swell'), uses('swell-again')]));

  const run = await service.start('everything');
  const path = `/workflows/everything/runs/${run.runId}`;
  await service.post(`${path}/hitl`, { approved: true });
  const failed = await kindsOf(service, path);
  const { snapshots } = (await service.get(`${path}/snapshots`)).body;
  await service.post(`${path}/resume`, { snapshotId: snapshots.at(-1).snapshotId });
  await registerStops(service);
  const stopped = await service.start('stopped');
  const stopping = `/workflows/stopped/runs/${stopped.runId}`;
  await service.post(`${stopping}/cancel`);
  const parent = await service.start('parent');
  const asking = `/workflows/parent/runs/${parent.runId}`;
  await service.post(`${asking}/hitl`, { approved: true });
  const ended = [...(await kindsOf(service, stopping)), ...(await kindsOf(service, asking))];
  const others = ['team', 'outgrown', 'waiting', 'frugal'].map(async (workflowId) => {
    const { runId } = await service.start(workflowId);
    return kindsOf(service, `/workflows/${workflowId}/runs/${runId}`);
  });
  return new Map([
    ...failed,
    ...(await kindsOf(service, path)),
    ...ended,
    ...(await Promise.all(others)).flat(),
  ]);
}

/** What waits, is cancelled, starts another run, or spends what it has. */
async function registerStops(service: Service): Promise<void> {
  const cleaning = { onCancel: ['tidy'], flow: { type: 'sequential', order: ['gate'] } };
  const budget = { policy: { ...policy, budget: { maxTokens: 1 } } };
  const child = { id: 'child', uses: 'builtin.workflow', config: { workflowId: 'child' } };
  await service.register(document('stopped', [gate('gate'), mock('tidy')], cleaning));
  await service.register(document('child', [gate('gate')]));
  await service.register(document('parent', [child]));
  await service.register(
    document('waiting', [{ id: 'wait', uses: 'builtin.wait', config: { durationMs: 1 } }]),
  );
  await service.register(document('frugal', [uses('spend'), uses('spend-again')], budget));
}

function registerUnits(engine: Engine): void {
  const rounds = [[{ targetUnitId: 'help', task: 'dig' }], []];
  engine.registerUnit('acme.lead', () => ({
    content: 'on it',
    metadata: { delegations: rounds.shift() ?? [] },
  }));
  for (const name of ['acme.spend', 'acme.spend-again']) {
    engine.registerUnit(name, () => ({ content: 1, state: { own: 1 }, tokenUsage: { totalTokens: 3 } }));
  }
  engine.registerUnit('acme.break', () => {
    throw Object.assign(new Error('broken'), { retryable: false });
  });
  for (const name of ['acme.swell', 'acme.swell-again']) engine.registerUnit(name, () => 'x'.repeat(600_000));
}

async function kindsOf(
  service: Service,
  path: string,
): Promise<readonly (readonly [string, readonly string[]])[]> {
  const { body } = await service.get(`${path}/messages`);
  return (body.messages as readonly { readonly type: string }[]).map(
    (message) => [message.type, Object.keys(message).toSorted()] as const,
  );
}
