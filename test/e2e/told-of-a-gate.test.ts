import { connectMcp, dataOf, REVISIONS, textsOf } from '../support/mcp-clients.js';
import { watch } from '../support/event-stream.js';
import { eventually } from '../support/eventually.js';
import { startService, type Service } from '../support/service.js';
import { document, gate } from '../support/workflow-documents.js';

const HOUR = { id: 'hour', uses: 'builtin.wait', config: { duration: 'PT1H' } };
const CHILD = { id: 'child', uses: 'builtin.workflow', config: { workflowId: 'slow' } };
/** On an idle machine it takes a few ms, and the hour of the timer and of the child whatever the machine does. */
const AT_ONCE_MS = 5_000;

let service: Service;
beforeAll(async () => {
  service = await startService();
  await service.register(document('slow', [HOUR]));
  await service.register(
    document('beside', [gate('ask', { timeout: 'P1D' }), HOUR, CHILD], {
      flow: { type: 'parallel', units: ['ask', 'hour', 'child'] },
    }),
  );
});
afterAll(() => service.close());

const waitsForGate = { sync: true, syncUntil: 'gate' };

describe('a gate with a time-out, next to a timer and a child', () => {
  it('answers the start that waits for it, and is in the lists with its time-out', async () => {
    const run = await service.start('beside', waitsForGate);
    const { items } = (await service.get('/gates?workflowId=beside')).body;
    const [listed] = items.filter(({ runId }: { readonly runId: string }) => runId === run.runId);
    expect([run.status, listed.dueAt - listed.openedAt]).toEqual(['running', 86_400_000]);
    expect(Date.now() - listed.openedAt).toBeLessThan(AT_ONCE_MS);
    const runs = (await service.get('/runs?workflowId=beside')).body.items;
    expect(runs[0]).toMatchObject({
      waitingFor: 'gate',
      openGates: [{ unitId: 'ask', dueAt: listed.dueAt }],
    });
  });

  it('is told by the streams of its run, of all runs and of the gates, before anything else has ended', async () => {
    const all = await watch(`${service.url}/events`);
    const gates = await watch(`${service.url}/gates?workflowId=beside`);
    const run = await service.start('beside', {});
    const own = await watch(`${service.url}/workflows/beside/runs/${run.runId}/events`);
    for (const stream of [own, all]) {
      const seen = await eventually(
        async () =>
          stream.events
            .filter(({ data }) => JSON.stringify(data).includes(run.runId))
            .map(({ event }) => event),
        (types) => types.includes('gate.opened'),
      );
      expect(
        seen.filter((type) => type !== null && /^(unit\.finished|run\.(completed|failed))$/.test(type)),
      ).toEqual([]);
    }
    await eventually(
      async () => gates.events.filter(({ data }) => JSON.stringify(data).includes(run.runId)),
      (changes) => changes.length > 0,
    );
    // Somebody cancels the run: that nobody has to decide any more is told, too.
    await service.post(`/workflows/beside/runs/${run.runId}/cancel`, {});
    const closed = await eventually(
      async () => own.events.find(({ event }) => event === 'gate.closed'),
      (event) => event !== undefined,
    );
    expect(closed?.data.data).toMatchObject({ unitId: 'ask', why: 'cancel' });
    for (const stream of [own, all, gates]) stream.leave();
  });

  it.each(REVISIONS)('answers a tool over MCP that waits for it (%s)', async (revision) => {
    const mcp = await connectMcp(service, revision);
    const result = await mcp.tool('run_workflow', { workflowId: 'beside', ...waitsForGate });
    expect(dataOf(result).status).toBe('running');
    expect(textsOf(result)[1]).toContain('waits for a person at gate');
    await mcp.close();
  });
});

describe('what says when it is answered', () => {
  const run = async (): Promise<string> =>
    `/workflows/beside/runs/${(await service.start('beside', waitsForGate)).runId}`;

  it('has a decision and a resume answered once they are recorded', async () => {
    const at = await run();
    const decided = await service.post(`${at}/hitl`, { approved: true, syncUntil: 'recorded' });
    expect([decided.status, decided.body.status]).toEqual([200, 'running']);
    const resumed = await service.post(`${at}/resume`, { syncUntil: 'recorded' });
    expect([resumed.status, resumed.body.status]).toEqual([200, 'running']);
  });

  it.each([
    ['', { syncUntil: 'gate' }, 'syncUntil says when "sync": true is answered: send both, or neither'],
    ['', { sync: true, syncUntil: 'recorded' }, 'syncUntil must be stop or gate'],
    ['/hitl', { approved: true, syncUntil: 'end' }, 'syncUntil must be one of stop, gate, recorded'],
    ['/resume', { syncUntil: 'end' }, 'syncUntil must be one of stop, gate, recorded'],
    ['/fork', { syncUntil: 'gate' }, 'syncUntil says when "sync": true is answered: send both, or neither'],
  ])('is refused where it cannot be meant: %s %j', async (route, body, error) => {
    const at = route === '' ? '/workflows/beside/runs' : `${await run()}${route}`;
    const answer = await service.post(at, body);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
  });

  it('is as good as nothing where it is null', async () => {
    const answer = await service.post('/workflows/beside/runs', { syncUntil: null });
    expect([answer.status, answer.body.status]).toEqual([202, 'running']);
  });
});
