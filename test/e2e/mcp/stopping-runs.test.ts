import { connectMcp, REVISIONS, textsOf, dataOf, type McpClient } from '../../support/mcp-clients.js';
import { startService, type Body, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

let service: Service;
beforeAll(async () => {
  service = await startService({ FLOWGATE_MCP_TOOLS: 'extended', FLOWGATE_CANCEL_GRACE_MS: '0' });
  await service.register(document('gated', [gate('agree'), mock('b')]));
  await service.register(document('slow', [mock('a', 1, { config: { delayMs: 100_000 } })]));
});
afterAll(() => service.close());

async function plainTool(name: string, args: object): Promise<{ isError?: true; answer: Body }> {
  const { body } = await service.post('/mcp', { method: 'tools/call', params: { name, arguments: args } });
  return { isError: body.result.isError, answer: JSON.parse(body.result.content[0].text) };
}

describe('in the plain profile', () => {
  it('cancel_run cancels, and pause_run pauses until resume_run', async () => {
    const { workflowId, runId } = await service.start('slow', {});
    const paused = await plainTool('pause_run', { workflowId, runId });
    expect([paused.isError, paused.answer.status]).toEqual([undefined, 'paused']);
    const cancelled = await plainTool('cancel_run', { workflowId, runId, by: 'ann' });
    expect(cancelled).toMatchObject({ answer: { status: 'failed', error: 'Cancelled by ann' } });
    expect(await service.run({ workflowId, runId })).toEqual(cancelled.answer);
  });

  it.each([
    ['an unknown run', { workflowId: 'gated', runId: 'x', by: 7 }, 'Unknown run: x'],
    ['no runId', { workflowId: 'gated' }, 'runId (string) is required'],
  ])('%s is an error that says what to fix', async (_what, args, error) => {
    for (const name of ['cancel_run', 'pause_run']) {
      const { isError, answer } = await plainTool(name, args);
      expect([isError, answer.error]).toEqual([true, error]);
    }
  });

  it('a typo is refused, and the run continues to wait', async () => {
    const run = await service.start('gated');
    const { workflowId, runId } = run;
    const { isError, answer } = await plainTool('cancel_run', { workflowId, runId, By: 'ann' });
    expect([isError, answer.error]).toEqual([true, 'By is no argument of this tool: did you mean by?']);
    expect(await service.run(run)).toEqual(run);
  });

  it('resume_run accepts a budget, and says so', async () => {
    const { workflowId, runId } = await service.start('gated');
    const budget = { maxTokens: 5 };
    expect((await plainTool('resume_run', { workflowId, runId, budget })).answer.status).toBe('paused');
    const wrong = await plainTool('resume_run', { workflowId, runId, budget: { maxTokens: -5 } });
    expect(wrong.answer.error).toContain('budget.maxTokens must be a whole number');
    const { body } = await service.post('/mcp', { method: 'tools/list' });
    const resume = body.result.tools.find(({ name }: Body) => name === 'resume_run');
    expect(Object.keys(resume.inputSchema.properties.budget.properties)).toEqual(['maxTokens', 'maxCost']);
  });
});

describe.each(REVISIONS)('a client of %s', (revision) => {
  let mcp: McpClient;
  let asked = 0;
  beforeAll(async () => {
    mcp = await connectMcp(service, revision, {
      person: () => {
        asked += 1;
        return { action: 'cancel' };
      },
    });
  });
  afterAll(() => mcp.close());

  it('cancels: that the run has failed then is no error, and nothing is to be done about it', async () => {
    const { workflowId, runId } = await service.start('slow', {});
    const result = await mcp.tool('cancel_run', { workflowId, runId, by: 'ann' });
    expect([result.isError, dataOf(result).status, dataOf(result).error]).toEqual([
      undefined,
      'failed',
      'Cancelled by ann',
    ]);
    expect(textsOf(result)).toHaveLength(1);
  });

  it('pauses, is told how to continue the run, and is not asked at its gate', async () => {
    const { workflowId, runId } = await service.start('gated');
    const before = asked;
    const result = await mcp.tool('pause_run', { workflowId, runId });
    expect([result.isError, dataOf(result).status]).toEqual([undefined, 'paused']);
    expect(textsOf(result)[1]).toContain('Call resume_run with');
    expect(asked).toBe(before);
  });

  it('is notified of the steps meanwhile, if it asks for them', async () => {
    const { workflowId, runId } = await service.start('slow', {});
    const heard: string[] = [];
    const result = await mcp.client.callTool(
      { name: 'cancel_run', arguments: { workflowId, runId } },
      { onprogress: ({ message }) => heard.push(message ?? '') },
    );
    expect([(result.structuredContent as Body).status, heard[0]]).toEqual(['failed', `run ${runId}`]);
  });
});

it('without them there is no such tool, in either profile', async () => {
  const usual = await startService();
  await usual.register(document('gated', [gate('agree')]));
  const { workflowId, runId } = await usual.start('gated');
  const mcp = await connectMcp(usual, '2026-07-28');
  for (const name of ['pause_run', 'compensate_run']) {
    const params = { name, arguments: { workflowId, runId } };
    expect((await usual.post('/mcp', { method: 'tools/call', params })).body.error.code).toBe(-32601);
    await expect(mcp.tool(name, params.arguments)).rejects.toMatchObject({ code: -32601 });
  }
  expect((await usual.run({ workflowId, runId })).status).toBe('paused');
  await mcp.close();
  await usual.close();
});
