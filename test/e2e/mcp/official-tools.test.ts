import { jest } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  connectMcp,
  post2025,
  post2026,
  REVISIONS,
  textsOf,
  dataOf,
  type McpClient,
} from '../../support/mcp-clients.js';
import { eventually } from '../../support/eventually.js';
import { startService, type Body, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

const NINE = [
  'run_workflow',
  'get_run',
  'resume_run',
  'respond_hitl',
  'list_workflows',
  'describe_workflow',
  'cancel_run',
  'list_runs',
  'list_gates',
];
const OTHERS = [
  'validate_workflow',
  'register_workflow',
  'delete_workflow',
  'search_memory',
  'cancel_run',
  'pause_run',
  'compensate_run',
  'fork_run',
  'list_runs',
  'list_events',
  'list_gates',
];
const ALL_BUT_RUN = [...NINE.slice(1, 6), ...OTHERS];
const ajv = new Ajv2020({ strict: false });

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a', 1)]));
  await service.register(document('gated', [gate('agree'), mock('b')]));
  await service.register(
    document(
      'beside',
      [gate('agree', { timeout: 'P1D' }), { id: 'hour', uses: 'builtin.wait', config: { duration: 'PT1H' } }],
      { flow: { type: 'parallel', units: ['agree', 'hour'] } },
    ),
  );
  await service.register(document('pausing', [mock('a', 1, { pause: 'after' }), mock('b')]));
  await service.register(
    document('failing', [{ id: 'a', uses: 'builtin.fail', config: { message: 'as it must' } }]),
  );
  await service.register(
    document('choosy', [mock('a')], {
      input: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } },
    }),
  );
});
afterAll(() => service.close());

describe.each(REVISIONS)('a client of %s', (revision) => {
  let mcp: McpClient;
  beforeAll(async () => {
    mcp = await connectMcp(service, revision);
  });
  afterAll(() => mcp.close());

  it('is served in its own revision', () => {
    expect(mcp.client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(mcp.client.getServerVersion()).toMatchObject({ name: 'flowgate', version: '0.1.0' });
    expect(mcp.client.getInstructions()).toContain('list_workflows');
  });

  it('finds nine tools, each with title, hints and the schemas of input and output', async () => {
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(NINE);
    for (const { title, description, annotations, inputSchema, outputSchema } of tools) {
      expect([title, description]).toEqual([expect.any(String), expect.any(String)]);
      expect(annotations).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
      expect(inputSchema.type).toBe('object');
      expect(outputSchema?.type).toBe('object');
      ajv.compile(inputSchema);
      ajv.compile(outputSchema as object);
    }
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true);
    expect(reading.map(({ name }) => name)).toEqual([
      'get_run',
      'list_workflows',
      'describe_workflow',
      'list_runs',
      'list_gates',
    ]);
  });

  it('reads every response as text and as data, which fits the schema of the tool', async () => {
    const { tools } = await mcp.client.listTools();
    const paused = await service.start('pausing');
    const gated = await service.start('gated');
    const address = ({ workflowId, runId }: Body) => ({ workflowId, runId });
    const calls: [string, object][] = [
      ['run_workflow', { workflowId: 'plain', input: { x: 1 }, sync: true }],
      ['run_workflow', { workflowId: 'plain' }],
      ['run_workflow', { workflowId: 'gated', sync: true }],
      ['run_workflow', { workflowId: 'failing', sync: true }],
      ['get_run', address(paused)],
      ['resume_run', address(paused)],
      ['respond_hitl', { ...address(gated), approved: true, responder: 'ada' }],
      ['list_workflows', {}],
      ['describe_workflow', { workflowId: 'choosy' }],
    ];
    for (const [name, args] of calls) {
      const result = await mcp.tool(name, { ...args });
      expect(result.structuredContent).toEqual(JSON.parse(textsOf(result)[0]!));
      const fits = ajv.compile(tools.find((tool) => tool.name === name)!.outputSchema as object);
      expect([name, fits(result.structuredContent), fits.errors]).toEqual([name, true, null]);
    }
  });

  it('reads a run without its workflow', async () => {
    const { tools } = await mcp.client.listTools();
    expect(tools.find(({ name }) => name === 'get_run')?.inputSchema.required).toEqual(['runId']);
    const paused = await service.start('pausing');
    expect(dataOf(await mcp.tool('get_run', { runId: paused.runId }))).toMatchObject({
      workflowId: 'pausing',
      status: 'paused',
    });
    const unknown = await mcp.tool('get_run', { runId: 'none' });
    expect([unknown.isError, textsOf(unknown)[0]]).toEqual([
      true,
      expect.stringContaining('Unknown run: none'),
    ]);
    const misspelt = await mcp.tool('get_run', { runId: paused.runId, workflowid: 'pausing' });
    expect(textsOf(misspelt)[0]).toContain('workflowId');
  });

  it('is told of a gate as soon as it opens, where it asks for that', async () => {
    const given = { workflowId: 'beside', sync: true, syncUntil: 'gate' };
    const result = await mcp.tool('run_workflow', given);
    expect(dataOf(result).status).toBe('running');
    expect(textsOf(result)[1]).toContain('waits for a person at gate');
    const { runId } = dataOf(result);
    expect(textsOf(await mcp.tool('get_run', { runId }))[1]).toContain('waits for a person at gate');
    const { gates } = dataOf(await mcp.tool('list_gates', { workflowId: 'beside' }));
    expect(gates).toContainEqual(
      expect.objectContaining({ runId, dueAt: expect.any(Number), onReject: 'fail' }),
    );
    const recorded = { runId, workflowId: 'beside', approved: true, syncUntil: 'recorded' };
    expect(dataOf(await mcp.tool('respond_hitl', recorded)).status).toBe('running');
    expect(dataOf(await mcp.tool('cancel_run', { workflowId: 'beside', runId })).cancelled).toBe(true);
  });

  it('run_workflow, get_run: the record that HTTP returns', async () => {
    const record = dataOf(
      await mcp.tool('run_workflow', { workflowId: 'plain', input: { x: 1 }, sync: true }),
    );
    expect(record).toMatchObject({ status: 'completed', result: { state: { x: 1, 'output.a': 1 } } });
    expect(await service.run(record)).toEqual(record);
    const { workflowId, runId } = record;
    expect(dataOf(await mcp.tool('get_run', { workflowId, runId }))).toEqual(record);
  });

  it('a run that fails is an error that says how to correct it', async () => {
    const result = await mcp.tool('run_workflow', { workflowId: 'failing', sync: true });
    expect(result.isError).toBe(true);
    expect(dataOf(result)).toMatchObject({ status: 'failed', error: 'as it must' });
    const { workflowId, runId } = dataOf(result);
    expect(textsOf(result)[1]).toContain('resume_run');
    expect(textsOf(result)[1]).toContain(JSON.stringify({ workflowId, runId }));
    // Reading a failed run is no error.
    expect((await mcp.tool('get_run', { workflowId, runId })).isError).toBeUndefined();
  });

  it('a run that is not awaited says how to follow it', async () => {
    const result = await mcp.tool('run_workflow', { workflowId: 'plain' });
    expect(dataOf(result).status).toBe('running');
    expect(textsOf(result)[1]).toContain('get_run');
  });

  it('a run that is paused by its document says how to continue it', async () => {
    const { workflowId, runId } = await service.start('pausing');
    const result = await mcp.tool('get_run', { workflowId, runId });
    expect(textsOf(result)[1]).toContain('resume_run');
    expect(dataOf(await mcp.tool('resume_run', { workflowId, runId })).status).toBe('completed');
  });

  it.each([
    ['an unknown workflow', 'run_workflow', { workflowId: 'nobody' }, /Unknown workflow: nobody/],
    ['an unknown run', 'get_run', { workflowId: 'plain', runId: 'x' }, /Unknown run: x/],
    ['no workflowId', 'run_workflow', {}, /workflowId \(string\) is required/],
    ['a wrong kind', 'run_workflow', { workflowId: 'plain', sync: 'yes' }, /sync must be true or false/],
    ['a near miss', 'run_workflow', { workflowId: 'plain', snyc: true }, /did you mean sync/],
    ['an input that does not fit', 'run_workflow', { workflowId: 'choosy', input: {} }, /amount/],
    ['a cursor of no page', 'list_workflows', { cursor: 'x' }, /leave it out/],
    ['a near miss to describe', 'describe_workflow', { workflowId: 'plain', workflowID: 1 }, /did you mean/],
    ['a workflow that is not there', 'describe_workflow', { workflowId: 'x' }, /Unknown workflow: x/],
    ['a gate that nobody waits at', 'respond_hitl', { workflowId: 'plain', runId: 'x', approved: 1 }, /run/],
  ])('%s is a result with isError that says what to fix', async (_name, tool, args, says) => {
    const result = await mcp.tool(tool, args);
    expect(result.isError).toBe(true);
    expect(JSON.parse(textsOf(result)[0]!).error).toMatch(says);
  });

  it('a tool that does not exist is -32601', async () => {
    await expect(mcp.tool('nothing')).rejects.toMatchObject({ code: -32601 });
    await expect(mcp.tool('register_workflow', { yaml: '' })).rejects.toMatchObject({ code: -32601 });
    await expect(mcp.tool('constructor')).rejects.toMatchObject({ code: -32601 });
  });

  it('list_workflows returns ids and purposes, describe_workflow the schema of the input', async () => {
    const { workflows } = dataOf(await mcp.tool('list_workflows'));
    expect(workflows).toContainEqual({ workflowId: 'plain', description: null, labels: {} });
    expect(dataOf(await mcp.tool('describe_workflow', { workflowId: 'choosy' }))).toMatchObject({
      workflowId: 'choosy',
      units: ['a'],
      flowType: 'sequential',
      inputSchema: { required: ['amount'] },
    });
  });
});

it('a ping is answered', async () => {
  const mcp = await connectMcp(service, '2025-11-25');
  expect(await mcp.client.ping()).toEqual({});
  await mcp.close();
});

it('the server says in 2026-07-28 that responses are complete', async () => {
  const { status, body } = await post2026(service, 'tools/call', {
    name: 'run_workflow',
    arguments: { workflowId: 'plain', sync: true },
  });
  expect([status, body.result.resultType]).toEqual([200, 'complete']);
});

it('list_workflows comes in pages', async () => {
  const many = await startService();
  const mcp = await connectMcp(many, '2026-07-28');
  const ids = Array.from({ length: 230 }, (_, i) => `w${i}`);
  for (const id of ids) await many.register(document(id, [mock('a')]));
  const seen: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = dataOf(await mcp.tool('list_workflows', cursor === undefined ? {} : { cursor }));
    seen.push(...page.workflows.map(({ workflowId }: Body) => workflowId));
    cursor = page.nextCursor;
    pages += 1;
  } while (cursor !== undefined);
  expect([seen, pages]).toEqual([ids, 3]);
  await mcp.close();
  await many.close();
});

describe('FLOWGATE_MCP_TOOLS', () => {
  const listed = async (tools: string): Promise<{ plain: string[]; official: string[] }> => {
    const chosen = await startService({ FLOWGATE_MCP_TOOLS: tools });
    const names = (body: Body) => body.result.tools.map(({ name }: Body) => name);
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    try {
      return {
        plain: names((await chosen.post('/mcp', list)).body),
        official: names((await post2025(chosen, list)).body),
      };
    } finally {
      await chosen.close();
    }
  };

  it.each([
    ['default', NINE.slice(0, 4), NINE],
    ['-respond_hitl', NINE.slice(0, 3), NINE.filter((name) => name !== 'respond_hitl')],
    ['get_run, list_workflows', ['get_run', 'list_workflows'], ['get_run', 'list_workflows']],
    ['extended,-run_workflow', ALL_BUT_RUN, ALL_BUT_RUN],
  ])('%s: in both profiles', async (tools, plain, official) => {
    expect(await listed(tools)).toEqual({ plain, official });
  });

  it('a disabled tool cannot be called either, whichever way', async () => {
    const chosen = await startService({ FLOWGATE_MCP_TOOLS: '-respond_hitl' });
    await chosen.register(document('gated', [gate('agree'), mock('b')]));
    const { runId, workflowId } = await chosen.start('gated');
    const params = { name: 'respond_hitl', arguments: { workflowId, runId, approved: true } };
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    expect((await chosen.post('/mcp', call)).body.error.code).toBe(-32601);
    expect((await post2025(chosen, call)).body.error.code).toBe(-32601);
    expect((await post2026(chosen, 'tools/call', params)).body.error.code).toBe(-32601);
    expect(await chosen.run({ workflowId, runId })).toMatchObject({ status: 'paused' });
    await chosen.close();
  });

  it.each(REVISIONS)('without respond_hitl nobody is asked either: %s', async (revision) => {
    const chosen = await startService({ FLOWGATE_MCP_TOOLS: '-respond_hitl' });
    await chosen.register(document('gated', [gate('agree'), mock('b')]));
    const person = jest.fn(() => ({ action: 'accept' as const, content: { approved: true } }));
    const mcp = await connectMcp(chosen, revision, { person });
    const result = await mcp.tool('run_workflow', { workflowId: 'gated', sync: true });
    expect([dataOf(result).status, person.mock.calls.length]).toEqual(['paused', 0]);
    expect(textsOf(result)[1]).toMatch(/POST \/workflows\/gated\/runs\/.*\/hitl/);
    expect(textsOf(result)[1]).not.toContain('respond_hitl');
    await mcp.close();
    await chosen.close();
  });

  it.each(REVISIONS)('extended: deletes a workflow, of which runs go on: %s', async (revision) => {
    const chosen = await startService({ FLOWGATE_MCP_TOOLS: 'extended' });
    const mcp = await connectMcp(chosen, revision);
    await chosen.register(document('made', [gate('ask'), mock('a')]));
    const { runId } = await chosen.start('made');
    const deleted = await mcp.tool('delete_workflow', { workflowId: 'made' });
    expect([deleted.isError, dataOf(deleted)]).toEqual([undefined, { workflowId: 'made' }]);
    const again = await mcp.tool('delete_workflow', { workflowId: 'made' });
    expect([again.isError, textsOf(again)[0]]).toEqual([
      true,
      expect.stringContaining('Unknown workflow: made'),
    ]);
    const missed = await mcp.tool('delete_workflow', { workflow: 'made' });
    expect([missed.isError, textsOf(missed)[0]]).toEqual([true, expect.stringContaining('workflowId')]);
    expect((await mcp.tool('run_workflow', { workflowId: 'made' })).isError).toBe(true);
    const decision = { workflowId: 'made', runId, approved: true, responder: 'ada' };
    expect(dataOf(await mcp.tool('respond_hitl', decision))).toMatchObject({ status: 'completed' });
    await mcp.close();
    await chosen.close();
  });

  it.each(REVISIONS)('extended: checks, registers and searches: %s', async (revision) => {
    const chosen = await startService({ FLOWGATE_MCP_TOOLS: 'extended' });
    const mcp = await connectMcp(chosen, revision);
    const yaml = document('made', [mock('a', 'a purple elephant')]);
    expect(dataOf(await mcp.tool('validate_workflow', { yaml }))).toEqual({
      workflowId: 'made',
      warnings: [],
      warningDetails: [],
    });
    const bad = await mcp.tool('validate_workflow', { yaml: 'kind: Workflow' });
    expect([bad.isError, textsOf(bad)[0]]).toEqual([true, expect.stringContaining('apiVersion')]);
    expect(dataOf(await mcp.tool('list_workflows')).workflows).toEqual([]);
    expect(dataOf(await mcp.tool('register_workflow', { yaml }))).toMatchObject({ workflowId: 'made' });
    await mcp.tool('run_workflow', { workflowId: 'made', sync: true });
    // Outputs are indexed shortly after the unit.
    await eventually(
      async () => JSON.stringify(dataOf(await mcp.tool('search_memory', { query: 'elephant' })).results),
      (results) => results.includes('purple elephant'),
    );
    expect((await mcp.tool('search_memory', { query: 'x', topK: 0 })).isError).toBe(true);
    expect((await mcp.tool('search_memory', {})).isError).toBe(true);
    await mcp.close();
    await chosen.close();
  });

  it('a tool that does not exist stops the start, and a similar name is suggested', async () => {
    await expect(startService({ FLOWGATE_MCP_TOOLS: '-respond_hitll' })).rejects.toThrow(
      /there is no tool -respond_hitll. Did you mean respond_hitl\?/,
    );
  });
});
