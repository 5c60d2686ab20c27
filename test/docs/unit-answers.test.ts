import { eventually } from '../support/eventually.js';
import { document } from '../support/workflow-documents.js';
import { firstCode } from './support/page-tables.js';
import { keysOf, mishaps, outcomeOf, probe, replyOf, type Probe } from './support/probe.js';
import { setUnitStage } from './support/unit-stage.js';
import { namesIn, tableOf } from './support/units-page.js';

const stage = setUnitStage();

describe('an answer', () => {
  it.each(tableOf('answer', '`output.<unitId>`').rows)('of line $line is that output', async ({ cells }) => {
    stage.server.answer(replyOf(cells[0] ?? '') ?? {});
    expect(outcomeOf(await probe(stage.service, { endpoint: stage.server.url }))).toEqual(
      JSON.parse(firstCode(cells[1])),
    );
  });

  const ENVELOPES: Readonly<Record<string, readonly [answer: object, shows: object]>> = {
    content: [{}, { result: { state: { 'output.probe': 1 } } }],
    state: [{ state: { own: 2 } }, { result: { state: { own: 2 } } }],
    metadata: [{ metadata: { route: 'left' } }, { status: 'completed' }],
    'tokenUsage.promptTokens': [{ tokenUsage: { promptTokens: 3 } }, { result: { tokenUsage: 3 } }],
    'tokenUsage.completionTokens': [
      { tokenUsage: { promptTokens: 3, completionTokens: 4 } },
      { result: { tokenUsage: 7 } },
    ],
    'tokenUsage.totalTokens': [
      { tokenUsage: { promptTokens: 3, totalTokens: 9 } },
      { result: { tokenUsage: 9 } },
    ],
    'tokenUsage.estimatedCost': [{ tokenUsage: { estimatedCost: 0.5 } }, { result: { cost: 0.5 } }],
    stopReason: [{ stopReason: 'error' }, { status: 'failed' }],
  };

  it('is an envelope of the fields that the page lists', () => {
    expect(namesIn('envelope field')).toEqual(Object.keys(ENVELOPES));
  });

  it.each(Object.entries(ENVELOPES))('has its effect by %s', async (_field, [answer, shows]) => {
    stage.server.answer({ body: { content: 1, ...answer } });
    expect(await probe(stage.service, { endpoint: stage.server.url })).toMatchObject(shows);
  });

  it('names the route of a router by metadata', async () => {
    stage.server.answer({ body: { content: 'right', metadata: { route: 'left' } } });
    const units = ['ask', 'left', 'right'].map((id) => ({
      id,
      uses: id === 'ask' ? 'acme.ask' : 'builtin.mock',
    }));
    const flow = { type: 'router', routerUnit: 'ask', routes: { left: 'left', right: 'right' } };
    await stage.service.register(document('routed', units, { flow }), {
      'acme.ask': { type: 'http', endpoint: stage.server.url },
    });
    expect((await stage.service.start('routed')).result?.completedUnits).toEqual(['ask', 'left']);
  });
});

describe('a failure', () => {
  it.each(tableOf('answer', 'tried again').rows)('of line $line: $cells', async ({ cells }) => {
    const [answer = '', again, key, cause] = cells;
    const asked = probeOf(answer);
    const record = await probe(stage.service, asked);
    const attempts = again === 'yes' ? 2 : 1;
    expect(record.error).toBe(`Unit probe failed after ${attempts} attempt(s): ${firstCode(cause)}`);
    if (asked.endpoint !== stage.server.url) return;
    expect(new Set(keysOf(stage.server.requests)).size).toBe(1);
    expect(stage.server.requests).toHaveLength(attempts);
    await stage.service.post(`/workflows/probe/runs/${record.runId}/resume`);
    expect(new Set(keysOf(stage.server.requests)).size).toBe(key === 'same' ? 1 : 2);
    expect(stage.server.requests).toHaveLength(2 * attempts);
  });

  it('is there for all that can be brought about', () => {
    const answers = tableOf('answer', 'tried again').rows.map(({ cells }) => cells[0]);
    expect(answers).toEqual(expect.arrayContaining([...mishaps.keys()]));
  });

  function probeOf(answer: string): Probe {
    const reply = replyOf(answer);
    const bringAbout = mishaps.get(answer);
    if (reply === null && bringAbout === undefined)
      throw new Error(`Say in support/probe.ts how to have: ${answer}`);
    if (reply !== null) stage.server.answer(reply);
    return reply === null ? bringAbout!(stage.server) : { endpoint: stage.server.url };
  }

  it.each(tableOf('`Retry-After`').rows)(
    'with the Retry-After of line $line waits so long',
    async ({ cells }) => {
      const [given = '', pause = ''] = cells;
      const header = firstCode(given) || new Date(Date.now() + 30_000).toUTCString();
      stage.server.answer({ status: 429, headers: { 'retry-after': header } });
      const retry = { maxAttempts: 2, baseMs: 60_000, maxMs: 60_000, jitter: false };
      const yaml = document('patient', [{ id: 'a', uses: 'acme.a' }], { policy: { retry } });
      await stage.service.register(yaml, { 'acme.a': { type: 'http', endpoint: stage.server.url } });
      const { runId } = await stage.service.start('patient', {});
      const { body } = await eventually(
        () => stage.service.get(`/workflows/patient/runs/${runId}/messages`),
        (answer) => answer.body.messages.length > 0,
      );
      const expected = pause.startsWith('that') ? 60_000 : Number(pause.replaceAll(',', ''));
      expect(body.messages[0].delayMs / expected).toBeCloseTo(1, firstCode(given) === '' ? 0 : 5);
    },
  );
});

describe('a secret', () => {
  const SECRETS = {
    FLOWGATE_SECRET_TOKEN: 'hunter2hunter2',
    FLOWGATE_SECRET_ELSEWHERE: 'anything',
    FLOWGATE_SECRET_HOSTS_ELSEWHERE: 'api.example.com',
  };

  // The service reads them at each call.
  beforeAll(() => Object.assign(process.env, SECRETS));
  afterAll(() => {
    for (const name of Object.keys(SECRETS)) delete process.env[name];
  });

  it.each(tableOf('headers of the binding').rows)('of line $line is kept so', async ({ cells }) => {
    const [headers, answer, shown] = cells.map(firstCode);
    stage.server.answer({ headers: { 'content-type': 'application/json' }, body: answer || '1' });
    const record = await probe(stage.service, {
      endpoint: stage.server.url,
      binding: { headers: JSON.parse(headers ?? '') },
    });
    expect(outcomeOf(record)).toEqual(shown?.startsWith('{') ? JSON.parse(shown) : shown);
  });
});
