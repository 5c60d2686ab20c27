import { Ajv2020 } from 'ajv/dist/2020.js';
import { connectMcp, REVISIONS, textsOf, dataOf, type McpClient } from '../../support/mcp-clients.js';
import { startService, type Body, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

const ajv = new Ajv2020({ strict: false });
/** The long text of one gate, or of one event. */
const LONG = 'x'.repeat(30_000);
const MOST_CHARS = 70_000;

let service: Service;
let gated: Body;
beforeAll(async () => {
  service = await startService({ FLOWGATE_MCP_TOOLS: 'extended' });
  await service.register(document('gated', [mock('a', 1), gate('agree'), mock('b', 2)]));
  await service.register(document('plain', [mock('a', 1), mock('b', '${{ state.n }}')]));
  await service.register(document('wordy', [gate('long', { description: LONG, payload: { text: LONG } })]));
  gated = await service.start('gated', { sync: true, input: { n: 1 }, labels: { team: 'red' } });
  await service.start('plain', { sync: true, input: { n: 1 } });
  for (let n = 0; n < 40; n += 1) await service.start('wordy', { sync: true });
});
afterAll(() => service.close());

async function plainTool(name: string, args: object): Promise<{ isError?: true; answer: Body }> {
  const { body } = await service.post('/mcp', { method: 'tools/call', params: { name, arguments: args } });
  return { isError: body.result.isError, answer: JSON.parse(body.result.content[0].text) };
}

const ids = (runs: readonly { readonly runId: string }[]) => runs.map(({ runId }) => runId);

describe('list_runs', () => {
  it('finds runs by what is known of them, as HTTP does', async () => {
    const { answer } = await plainTool('list_runs', { workflowId: 'gated' });
    const { items } = (await service.get('/runs?workflowId=gated')).body;
    expect(answer).toEqual({ runs: items });
    for (const filter of [
      { labels: { team: 'red' } },
      { status: ['paused', 'failed'], gateUnit: 'agree' },
      { openGate: true, workflowId: 'gated', origin: 'client', cancelled: false },
      { id: gated.runId, createdAfter: gated.createdAt, createdBefore: gated.createdAt + 1 },
      { id: gated.runId, createdAfter: new Date(gated.createdAt).toISOString() },
    ])
      expect(ids((await plainTool('list_runs', filter)).answer.runs)).toEqual([gated.runId]);
    expect((await plainTool('list_runs', { labels: { team: 'blue' } })).answer).toEqual({ runs: [] });
  });

  it('continues after a page', async () => {
    const seen: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 20; pages += 1) {
      const { answer } = await plainTool('list_runs', { limit: 10, cursor });
      seen.push(...ids(answer.runs));
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual(ids((await service.get('/runs?limit=200')).body.items));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each([
    [{ status: 'paused' }, 'status must be a list of strings'],
    [{ status: ['done'] }, 'status must be one or more of pending'],
    [{ labels: { n: 1 } }, 'labels must be an object of strings'],
    [{ openGate: false }, 'openGate can only be true'],
    [{ cancelled: 'yes' }, 'cancelled must be true or false'],
    [{ createdAfter: 'yesterday' }, 'createdAfter must be an instant'],
    [{ limit: 201 }, 'limit must be a whole number from 1 to 200'],
    [{ limit: '5' }, 'limit must be a whole number'],
    [{ cursor: 'x' }, 'cursor is not of this list'],
    [{ workflowID: 'w' }, 'workflowID is no argument of this tool: did you mean workflowId?'],
  ])('says of %j what to mend', async (args, error) => {
    const { isError, answer } = await plainTool('list_runs', args);
    expect([isError, answer.error]).toEqual([true, expect.stringContaining(error)]);
  });
});

describe('list_gates', () => {
  it('lists what waits, with the count, in pages that an agent can read', async () => {
    const seen: Body[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 20; pages += 1) {
      const { answer } = await plainTool('list_gates', { cursor });
      expect(answer.open).toBe(41);
      expect(JSON.stringify(answer).length).toBeLessThan(MOST_CHARS);
      seen.push(...answer.gates);
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    expect(seen).toHaveLength(41);
    const long = seen.find(({ workflowId }) => workflowId === 'wordy');
    expect(long).toMatchObject({ payload: null, payloadCut: true, descriptionCut: true });
    expect(long.description).toHaveLength(1_000);
    expect(seen.at(-1)).toMatchObject({ runId: gated.runId, unitId: 'agree', title: expect.any(String) });
  });

  it('lists what was decided, and by whom', async () => {
    const { runId } = await service.start('gated');
    await service.post(`/workflows/gated/runs/${runId}/hitl`, { approved: true, responder: 'ann' });
    const { answer } = await plainTool('list_gates', { status: 'decided', workflowId: 'gated' });
    expect(answer.gates).toMatchObject([{ runId, decision: { approved: true, responder: 'ann' } }]);
  });

  it.each([
    [{ status: 'closed' }, 'status must be open or decided'],
    [{ limit: 0 }, 'limit must be a whole number from 1 to 200'],
    [{ workflow: 'w' }, 'did you mean workflowId?'],
  ])('says of %j what to mend', async (args, error) => {
    const { isError, answer } = await plainTool('list_gates', args);
    expect([isError, answer.error]).toEqual([true, expect.stringContaining(error)]);
  });
});

describe('list_events', () => {
  const address = () => ({ workflowId: gated.workflowId, runId: gated.runId });

  it('lists what a run did, as HTTP does, in pages or from the end', async () => {
    const { items } = (await service.get(`/workflows/gated/runs/${gated.runId}/events`)).body;
    expect((await plainTool('list_events', address())).answer).toEqual({ events: items });
    const first = await plainTool('list_events', { ...address(), limit: 2 });
    const rest = await plainTool('list_events', { ...address(), afterSeq: first.answer.next });
    expect([...first.answer.events, ...rest.answer.events]).toEqual(items);
    expect((await plainTool('list_events', { ...address(), tail: 2 })).answer.events).toEqual(
      items.slice(-2),
    );
    const log = await plainTool('list_events', { ...address(), view: 'log' });
    expect(log.answer.events[0].type).toBe('run-started');
  });

  it('of many words come in short pages, whichever end is asked for', async () => {
    const units = Array.from({ length: 40 }, (_, n) => mock(`u${n}`, 'y'.repeat(3_500)));
    await service.register(document('chatty', units));
    const run = await service.start('chatty');
    const of = { workflowId: 'chatty', runId: run.runId };
    const { items } = (await service.get(`/workflows/chatty/runs/${run.runId}/events?limit=1000`)).body;
    const seen: Body[] = [];
    for (let afterSeq: number | undefined, pages = 0; pages < 20; pages += 1) {
      const { answer } = await plainTool('list_events', { ...of, afterSeq });
      expect(JSON.stringify(answer).length).toBeLessThan(MOST_CHARS);
      seen.push(...answer.events);
      afterSeq = answer.next;
      if (afterSeq === undefined) break;
    }
    expect(seen).toEqual(items);
    const { events } = (await plainTool('list_events', { ...of, tail: 100 })).answer;
    expect(events.length).toBeLessThan(items.length);
    expect(events).toEqual(items.slice(-events.length));
  });

  it.each([
    [{ runId: 'x', limit: 0 }, 'Unknown run: x'],
    [{ runId: undefined }, 'runId (string) is required'],
    [{ tail: 1, limit: 1 }, 'tail stands for itself'],
    [{ limit: 1_001 }, 'limit must be a whole number from 1 to 1000'],
    [{ view: 'raw' }, 'view must be one of public, log'],
    [{ afterSq: 1 }, 'did you mean afterSeq?'],
  ])('says of %j what to mend', async (args, error) => {
    const { isError, answer } = await plainTool('list_events', { ...address(), ...args });
    expect([isError, answer.error]).toEqual([true, expect.stringContaining(error)]);
  });
});

describe('fork_run', () => {
  it('begins a run where another one was, which stays as it is', async () => {
    const run = await service.start('plain', { sync: true, input: { n: 1 } });
    const { workflowId, runId } = run;
    const { answer } = await plainTool('fork_run', {
      workflowId,
      runId,
      from: { unitId: 'b' },
      input: { n: 7 },
      labels: { why: 'again' },
      sync: true,
    });
    expect(answer).toMatchObject({ workflowId, status: 'completed', result: { state: { n: 7 } } });
    expect(answer.runId).not.toBe(runId);
    expect(await service.run(run)).toEqual(run);
    const found = await plainTool('list_runs', { forkedFrom: runId });
    expect(found.answer.runs).toMatchObject([
      { runId: answer.runId, origin: 'fork', labels: { why: 'again' } },
    ]);
  });

  it.each([
    [{ runId: 'x', sync: 'no' }, 'Unknown run: x'],
    [{ from: { unitId: 'nobody' } }, 'from.unitId is no unit of the workflow'],
    [{ from: { snapshot: 'x' } }, 'did you mean snapshotId?'],
    [{ inputs: {} }, 'inputs is no argument of this tool: did you mean input?'],
  ])('says of %j what to mend', async (args, error) => {
    const { isError, answer } = await plainTool('fork_run', {
      workflowId: 'gated',
      runId: gated.runId,
      ...args,
    });
    expect([isError, answer.error]).toEqual([true, expect.stringContaining(error)]);
  });
});

describe.each(REVISIONS)('a client of %s', (revision) => {
  let mcp: McpClient;
  beforeAll(async () => {
    mcp = await connectMcp(service, revision, {
      person: () => ({ action: 'accept', content: { approved: true, responder: 'ann' } }),
    });
  });
  afterAll(() => mcp.close());

  it('receives what the schemas of the tools say', async () => {
    const { tools } = await mcp.client.listTools();
    const { workflowId, runId } = gated;
    for (const [name, args] of [
      ['list_runs', {}],
      ['list_gates', {}],
      ['list_gates', { status: 'decided' }],
      ['list_events', { workflowId, runId, view: 'log' }],
      ['list_events', { workflowId, runId, tail: 1 }],
    ] as const) {
      const result = await mcp.tool(name, args);
      const { inputSchema, outputSchema } = tools.find((tool) => tool.name === name)!;
      expect(ajv.compile(inputSchema as object)(args)).toBe(true);
      expect(ajv.compile(outputSchema as object)(dataOf(result))).toBe(true);
      expect(JSON.parse(textsOf(result)[0]!)).toEqual(dataOf(result));
    }
  });

  it('forks a run, is asked at its gate, and told how it ended', async () => {
    const { workflowId, runId } = gated;
    const result = await mcp.tool('fork_run', { workflowId, runId, from: { unitId: 'agree' }, sync: true });
    expect(dataOf(result)).toMatchObject({
      status: 'completed',
      result: { state: { 'hitl.approved': true } },
    });
    expect(dataOf(result).runId).not.toBe(runId);
    expect((await service.run(gated as { workflowId: string; runId: string })).status).toBe('paused');
  });

  it('is notified of the steps of a fork, if it asks for them', async () => {
    const { workflowId, runId } = gated;
    const heard: string[] = [];
    const result = await mcp.client.callTool(
      { name: 'fork_run', arguments: { workflowId, runId, sync: true } },
      { onprogress: ({ message }) => heard.push(message ?? '') },
    );
    const fork = result.structuredContent as Body;
    expect([fork.status, heard[0]]).toEqual(['completed', `run ${fork.runId}`]);
  });

  it('continues at once where it does not wait for the fork', async () => {
    const { workflowId, runId } = gated;
    const result = await mcp.tool('fork_run', { workflowId, runId });
    expect(dataOf(result).status).toBe('running');
    expect(textsOf(result)[1]).toContain('The run goes on.');
  });
});
