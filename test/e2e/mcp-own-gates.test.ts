import { ModulesContainer } from '@nestjs/core';
import type { FlowgateModuleOptions, HostRequest } from '../../src/index.js';
import { Engine } from '../../src/index.js';
import { HitlService } from '../../src/hitl/hitl.service.js';
import { startHost } from '../support/host.js';
import { startHosted } from '../support/hosted-service.js';
import { startService, type Body, type Service } from '../support/service.js';
import { document, gate } from '../support/workflow-documents.js';

let service: Service;
afterEach(() => service.close());

const byHeader = ({ headers }: HostRequest) => headers['x-person']?.toString();
const as = (person: string | null) => (person === null ? {} : { 'x-person': person });

/** A service where nobody approves over MCP what they started over MCP. */
async function refusing(options: FlowgateModuleOptions = {}) {
  service = await startHosted({ ...options, mcp: { ownGates: 'refuse' } });
  await service.register(document('gated', [gate('agree')]));
}

async function tool(name: string, args: object, person: string | null = null): Promise<Body> {
  const params = { name, arguments: { workflowId: 'gated', ...args } };
  const { body } = await service.post('/mcp', { method: 'tools/call', params }, as(person));
  return { isError: body.result.isError ?? false, ...JSON.parse(body.result.content[0].text) };
}
const startedOverMcp = async (person: string | null = null): Promise<string> =>
  (await tool('run_workflow', { sync: true }, person)).runId;
const decide = (runId: string, person: string | null = null, more: object = {}) =>
  tool('respond_hitl', { runId, approved: true, responder: 'the CEO', ...more }, person);
const historyOf = async (runId: string) => (await service.get(`/workflows/gated/runs/${runId}`)).text;

describe('a gate of a run that was started over MCP', () => {
  it('is not decided over MCP, whoever that claims to be; and nothing of it is recorded', async () => {
    await refusing();
    const runId = await startedOverMcp();
    const before = await historyOf(runId);
    expect(await decide(runId)).toEqual({
      isError: true,
      error:
        'The run was started over MCP, and nobody decides over MCP at a gate of their own run: let somebody else ' +
        `decide, or decide over HTTP: POST /workflows/gated/runs/${runId}/hitl`,
      code: 'own-gate',
    });
    expect(await historyOf(runId)).toBe(before);
    const { body } = await service.post(`/workflows/gated/runs/${runId}/hitl`, { approved: true });
    expect(body.status).toBe('completed');
  });

  it('is decided over MCP by another principal whom the host knows, and by nobody else', async () => {
    await refusing({ actor: byHeader });
    const runId = await startedOverMcp('ann');
    for (const person of ['ann', null]) {
      expect(await decide(runId, person)).toMatchObject({ isError: true, code: 'own-gate' });
    }
    const decided = await decide(runId, 'bob');
    expect([decided.status, decided.result.state['hitl.responder']]).toEqual(['completed', 'bob']);
    const nobodys = await startedOverMcp();
    expect(await decide(nobodys, 'bob')).toMatchObject({ code: 'own-gate' });
  });

  it('is not decided over MCP at a run that it started, by either address', async () => {
    await refusing();
    const child = { id: 'child', uses: 'builtin.workflow', config: { workflowId: 'gated' } };
    await service.register(document('family', [child]));
    const { runId, result } = await tool('run_workflow', { workflowId: 'family', sync: true });
    const { childRunId } = result.messages.find(({ type }: Body) => type === 'child-started');
    expect(await decide(runId, null, { workflowId: 'family' })).toMatchObject({ code: 'own-gate' });
    expect(await decide(childRunId)).toMatchObject({ code: 'own-gate' });
    const path = `/workflows/gated/runs/${childRunId}/hitl`;
    expect((await service.post(path, { approved: true })).body.status).toBe('completed');
  });

  it('is refused after the unknown run and the arguments, and before what the gate says', async () => {
    await refusing();
    expect(await decide('nobody')).toMatchObject({ code: 'unknown-run' });
    const runId = await startedOverMcp();
    expect(await decide(runId, null, { approved: 'yes' })).toMatchObject({ code: 'invalid-request' });
    expect(await decide(runId, null, { gateId: 99 })).toMatchObject({ code: 'own-gate' });
  });
});

it('a gate of a run that was started over HTTP is decided over MCP as before', async () => {
  await refusing();
  const { runId } = await service.start('gated');
  expect((await decide(runId)).status).toBe('completed');
});

it('without the setting whoever started a run decides in it', async () => {
  service = await startService();
  await service.register(document('gated', [gate('agree')]));
  expect((await decide(await startedOverMcp())).status).toBe('completed');
});

it('the setting of the environment counts', async () => {
  service = await startService({ FLOWGATE_MCP_OWN_GATES: 'refuse' });
  await service.register(document('gated', [gate('agree')]));
  expect(await decide(await startedOverMcp())).toMatchObject({ code: 'own-gate' });
});

it('a host with an invalid setting does not start', async () => {
  await refusing();
  const flowgate = { mcp: { ownGates: 'never' as never, waitMs: -1 } };
  await expect(startHost({ adapter: 'express', flowgate })).rejects.toThrow(
    /^mcp\.ownGates is never: it must be one of allow, refuse\.\nmcp\.waitMs is -1: /,
  );
});

describe('the service behind the gateway', () => {
  const hitlOf = (): HitlService => {
    const modules = [...service.app.get(ModulesContainer).values()];
    const [hitl] = modules.flatMap(({ providers }) => providers.get(HitlService)?.instance ?? []);
    return hitl as HitlService;
  };

  const engine = () => service.app.get(Engine).unchecked();

  it('says beforehand whether a decision would be accepted', async () => {
    await refusing({ actor: byHeader });
    const runId = await startedOverMcp('ann');
    const may = (via: 'http' | 'mcp', principal: string | null) =>
      hitlOf().mayDecide('gated', runId, { engine: engine(), via, principal });
    expect(await Promise.all([may('mcp', 'ann'), may('mcp', null), may('mcp', 'bob')])).toEqual([
      false,
      false,
      true,
    ]);
    expect(await may('http', 'ann')).toBe(true);
    await expect(hitlOf().mayDecide('gated', 'nobody', { engine: engine(), via: 'mcp' })).rejects.toThrow(
      'Unknown run: nobody',
    );
  });

  it('keeps no key of a decision that was refused', async () => {
    await refusing();
    const runId = await startedOverMcp();
    const body = { approved: true };
    const arrival = { engine: engine(), via: 'mcp', idempotencyKey: 'k' } as const;
    await expect(hitlOf().respond('gated', runId, () => body, arrival)).rejects.toMatchObject({
      code: 'own-gate',
    });
    const other = { approved: false };
    const answer = await hitlOf().respond('gated', runId, () => other, { ...arrival, via: 'http' });
    expect(answer.status).toBe('failed');
  });

  it('lists the open gates', async () => {
    await refusing();
    const runId = await startedOverMcp();
    expect(await hitlOf().openGates('gated', runId, { engine: engine() })).toMatchObject([
      { unitId: 'agree', title: 'May agree pass?' },
    ]);
    await expect(hitlOf().openGates('gated', 'nobody', { engine: engine() })).rejects.toThrow(
      'Unknown run: nobody',
    );
  });

  it('waits for a run as long as the request says', async () => {
    await refusing({ shutdownGraceMs: 0 });
    const slow = { id: 'slow', uses: 'builtin.mock', config: { response: 1, delayMs: 60_000 } };
    await service.register(document('slow', [gate('agree'), slow]));
    const { runId } = await service.start('slow');
    const answer = await hitlOf().respond('slow', runId, () => ({ approved: true }), {
      engine: engine(),
      via: 'http',
      waiting: { waitMs: 0 },
    });
    expect(answer.status).toBe('running');
  });
});

it('the starter of a run is known by the engine', async () => {
  await refusing({ actor: byHeader });
  const { runs } = service.app.get(Engine);
  const startedBy = (runId: string) => runs.startedBy({ workflowId: 'gated', runId });
  expect(await startedBy(await startedOverMcp('ann'))).toEqual({
    id: 'ann',
    owner: 'ann',
    via: 'mcp',
    auth: 'host',
  });
  const { runId } = await service.start('gated');
  expect(await startedBy(runId)).toEqual({ id: 'user', owner: null, via: 'http', auth: 'none' });
  await expect(startedBy('nobody')).rejects.toMatchObject({ code: 'unknown-run' });
});
