import { BUILT_IN_ROLES, GrantPolicy, type Grant } from '../../../src/engine/index.js';
import type { Permission } from '../../../src/engine/vocabulary.js';
import type { AccessInMemory } from '../../support/access.js';
import { connectMcp, REVISIONS, type McpClient } from '../../support/mcp-clients.js';
import { startServiceWithAccess } from '../../support/service-with-access.js';
import type { Body, Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

/** Roles of one's own: who may begin and steer runs, and no more. */
const OWN_ROLES: readonly (readonly [string, readonly Permission[]])[] = [
  ['starter', ['run:start']],
  ['steerer', ['run:start', 'run:steer', 'gate:read', 'gate:decide']],
];

let service: Service;
let access: AccessInMemory;
const clients: McpClient[] = [];
beforeAll(async () => {
  const policy = new GrantPolicy(() => new Map([...BUILT_IN_ROLES, ...OWN_ROLES]));
  ({ service, access } = await startServiceWithAccess({ FLOWGATE_MCP_TOOLS: 'extended' }, policy));
  const admin = access.headersFor('*', 'admin');
  for (const yaml of [
    document('invoice', [gate('agree')]),
    document('payment', [mock('pay')]),
    document('order', [mock('ship')]),
  ])
    expect((await service.post('/workflows/from-yaml', { yaml }, admin)).status).toBe(201);
});
afterAll(async () => {
  await Promise.all(clients.map((mcp) => mcp.close()));
  await service.close();
});

const IN_DEFAULT = { namespace: 'default' };

describe.each(REVISIONS)('an agent of %s', (revision) => {
  const asked: unknown[] = [];
  beforeEach(() => asked.splice(0));

  const agent = async (grants: readonly Grant[]): Promise<McpClient> => {
    const mcp = await connectMcp(service, revision, {
      headers: access.headersOf(`ann-${clients.length}`, grants),
      person: (question) => {
        asked.push(question);
        return { action: 'cancel' };
      },
    });
    clients.push(mcp);
    return mcp;
  };
  const call = async ({ client }: McpClient, name: string, args: Body, isTold = false): Promise<Body> => {
    const params = { name, arguments: args };
    const { isError = false, structuredContent } = await client.callTool(
      params,
      isTold ? { onprogress: () => undefined } : {},
    );
    return { isError, ...(structuredContent as Body) };
  };

  it('gets the run that it began, also where it decides gates of another workflow alone', async () => {
    const mcp = await agent([
      { ...IN_DEFAULT, roles: ['operator'], workflows: ['invoice'] },
      { ...IN_DEFAULT, roles: ['approver'], workflows: ['payment'] },
    ]);
    const begun = await call(mcp, 'run_workflow', { workflowId: 'invoice', sync: true });
    expect(begun).toMatchObject({ isError: false, workflowId: 'invoice', status: 'paused' });
    expect(asked).toEqual([]);
  });

  it('gets the run that it began, also where it sees gates of another workflow alone', async () => {
    const mcp = await agent([
      { ...IN_DEFAULT, roles: ['starter'], workflows: ['invoice'] },
      { ...IN_DEFAULT, roles: ['viewer'], workflows: ['payment'] },
    ]);
    const begun = await call(mcp, 'run_workflow', { workflowId: 'invoice', sync: true });
    expect(begun).toMatchObject({ isError: false, workflowId: 'invoice', status: 'paused' });
  });

  it('that asks for progress and may not read runs begins each once, and gets it', async () => {
    const mcp = await agent([{ ...IN_DEFAULT, roles: ['starter'], workflows: ['order'] }]);
    for (const sync of [true, false]) {
      const begun = await call(mcp, 'run_workflow', { workflowId: 'order', sync }, true);
      expect(begun).toMatchObject({ isError: false, workflowId: 'order', runId: expect.any(String) });
    }
  });

  it('that may not read runs steers and decides them all the same, and asks nobody', async () => {
    const mcp = await agent([{ ...IN_DEFAULT, roles: ['steerer'] }]);
    const begun = await call(mcp, 'run_workflow', { workflowId: 'invoice', sync: true }, true);
    expect([begun.isError, begun.status, asked]).toEqual([false, 'paused', []]);
    const run = { workflowId: 'invoice', runId: begun.runId };
    expect(await call(mcp, 'pause_run', run, true)).toMatchObject({ isError: false, status: 'paused' });
    expect(await call(mcp, 'resume_run', run, true)).toMatchObject({ isError: false, status: 'paused' });
    const decided = await call(mcp, 'respond_hitl', { ...run, approved: true }, true);
    expect(decided).toMatchObject({ isError: false, status: 'completed' });
    expect(await call(mcp, 'get_run', run)).toMatchObject({ isError: true });
  });
});
