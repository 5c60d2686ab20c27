import { connectMcp, REVISIONS, textsOf, type McpClient } from '../../support/mcp-clients.js';
import { startService, type Service } from '../../support/service.js';
import { wordsOfOthers } from '../../support/surface-vocabulary.js';
import { document, gate, mock } from '../../support/workflow-documents.js';

const NO_RUN = '01a1f2f0-0000-7000-8000-000000000000';

let service: Service;
let runs: Readonly<Record<'OVER' | 'GATES' | 'UNDONE', string>>;
beforeAll(async () => {
  service = await startService({ FLOWGATE_MCP_TOOLS: 'extended' });
  await service.register(document('plain', [mock('a')]));
  const parallel = { flow: { type: 'parallel', units: ['one', 'two'] } };
  await service.register(document('gates', [gate('one'), gate('two')], parallel));
  const undone = { flow: { type: 'sequential', order: ['a', 'stop'] } };
  const stop = { id: 'stop', uses: 'builtin.fail', config: { message: 'no' } };
  await service.register(document('saga', [mock('a', 1, { compensate: 'b' }), mock('b'), stop], undone));
  const [over, gates, saga] = [
    await service.start('plain'),
    await service.start('gates'),
    await service.start('saga'),
  ];
  runs = { OVER: over.runId, GATES: gates.runId, UNDONE: saga.runId };
});
afterAll(() => service.close());

/** What an agent called, and all that it is told: a tool, or an argument. */
const MISTAKES: readonly (readonly [tool: string, given: object, error: string, detail?: string])[] = [
  ['run_workflow', { workflowId: 'plan' }, 'Unknown workflow: plan', 'Did you mean plain?'],
  [
    'run_workflow',
    { workflowId: 'plain', inputs: {} },
    'inputs is no argument of this tool: did you mean input?',
  ],
  [
    'run_workflow',
    { workflowId: 'plain', syncUntil: 'gate' },
    'syncUntil says when "sync": true is answered: send both, or neither',
  ],
  [
    'get_run',
    { runId: NO_RUN },
    `Unknown run: ${NO_RUN}`,
    'list_runs lists the runs that are kept, and with id those whose id begins so; one that ended long ago may have been ' +
      'deleted (FLOWGATE_RETENTION_DAYS).',
  ],
  [
    'compensate_run',
    { workflowId: 'plain', runId: 'OVER' },
    'No compensation of the run OVER has failed, so none is tried again: its compensation in list_runs says how it stands',
  ],
  [
    'resume_run',
    { workflowId: 'saga', runId: 'UNDONE' },
    'The run UNDONE failed, and what ran because of that (a compensation, a finally, a catch that rethrows) is not taken back: ',
  ],
  [
    'respond_hitl',
    { workflowId: 'gates', runId: 'GATES', approved: true },
    'Several gates are open: name one of them by gateId',
  ],
  [
    'respond_hitl',
    { workflowId: 'plain', runId: 'OVER', approved: true },
    'Unknown run: OVER',
    'The run is over (completed): nobody waits for this decision any more.',
  ],
  ['respond_hitl', { workflowId: 'gates', runId: 'GATES' }, 'approved'],
  [
    'fork_run',
    { workflowId: 'plain', runId: 'OVER', from: { unitId: 'a', occurrence: 9 } },
    'The run OVER came to the unit a once, not 9 times: send an occurrence of at most 1',
  ],
  ['list_runs', { status: ['halted'] }, 'status must be one or more of pending, running, '],
  ['list_runs', { cursor: 'x' }, 'cursor'],
  ['list_events', { workflowId: 'plain', runId: 'OVER', tail: 1, limit: 1 }, 'tail stands for itself: '],
  ['describe_workflow', {}, 'workflowId (string) is required'],
];

describe.each(REVISIONS)('an agent that speaks %s', (revision) => {
  let agent: McpClient;
  beforeAll(async () => {
    agent = await connectMcp(service, revision);
  });
  afterAll(() => agent.close());

  const rows = MISTAKES.map(([tool, given, error, detail]) => [tool, given, error, { detail }] as const);
  it.each(rows)('and calls %s with %j is told in words of tools', async (tool, given, error, { detail }) => {
    const named = JSON.parse(
      JSON.stringify(given).replaceAll(
        /"(OVER|GATES|UNDONE)"/g,
        (_all, run: keyof typeof runs) => `"${runs[run]}"`,
      ),
    ) as Readonly<Record<string, unknown>>;
    const result = await agent.tool(tool, named);
    expect(result.isError).toBe(true);
    const [text = ''] = textsOf(result);
    const shown = Object.entries(runs).reduce((all, [name, id]) => all.replaceAll(id, name), text);
    const body = JSON.parse(shown) as { readonly error: string; readonly detail?: string };
    expect(body.error).toContain(error);
    expect(body.detail).toBe(detail);
    expect(wordsOfOthers(text, ['mcp', 'service'])).toEqual([]);
  });
});
