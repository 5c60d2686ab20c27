import { startOtlpReceiver } from '../support/otlp-receiver.js';
import { startService } from '../support/service.js';
import { startUnitServer, type UnitServer } from '../support/unit-server.js';
import { document, mock, remote } from '../support/workflow-documents.js';

const FAST = { retry: { baseMs: 1, jitter: false } };

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let unit: UnitServer;

beforeEach(async () => {
  receiver = await startOtlpReceiver();
  unit = await startUnitServer({ body: { content: 'hunter2 was said' } });
});
afterEach(async () => {
  await receiver.close();
  await unit.close();
});

/** Runs a workflow in a service that traces, and closes the service, which sends what it has. */
async function traced(
  units: readonly object[],
  environment: Readonly<Record<string, string>> = {},
  more: object = {},
) {
  const service = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...environment });
  const yaml = document('traced', units, { policy: FAST, ...more });
  const bindings = {
    'units.first': { type: 'http', endpoint: `${unit.url}/first?token=hunter2` },
    'units.second': { type: 'http', endpoint: `${unit.url}/second` },
  };
  await service.register(yaml, bindings);
  const record = await service.start('traced', { sync: true, input: { password: 'hunter2' } });
  await service.close();
  const spans = receiver.spans();
  return { record, spans, named: (name: string) => spans.find((span) => span.name === name)! };
}

const FIRST = { ...remote('first'), uses: 'units.first' };
const SECOND = { ...remote('second'), uses: 'units.second' };

describe('the trace of a run with two HTTP units', () => {
  it('is one span for the run, and below it one for each attempt, which its unit receives', async () => {
    const { record, spans, named } = await traced([FIRST, SECOND]);
    expect(record.status).toBe('completed');
    expect(spans.map(({ name }) => name).sort()).toEqual(['run traced', 'unit first', 'unit second']);
    const [run, first, second] = [named('run traced'), named('unit first'), named('unit second')];

    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([record.runId.replaceAll('-', '')]));
    expect(run.parentSpanId ?? '').toBe('');
    expect([first.parentSpanId, second.parentSpanId]).toEqual([run.spanId, run.spanId]);
    // Spans of the units are children of their attempts.
    expect(unit.requests.map(({ headers }) => headers['traceparent'])).toEqual([
      `00-${first.traceId}-${first.spanId}-01`,
      `00-${second.traceId}-${second.spanId}-01`,
    ]);
    expect([run.kind, first.kind, second.kind]).toEqual([1, 3, 3]);
  });

  it('says which run, unit and attempt it is, and nothing of the content', async () => {
    const { record, named } = await traced([FIRST]);
    expect(named('unit first').attributes).toEqual({
      'flowgate.run.id': record.runId,
      'flowgate.workflow.id': 'traced',
      'flowgate.unit.id': 'first',
      'flowgate.unit.attempt': 1,
      'flowgate.unit.origin': unit.url,
      'flowgate.unit.outcome': 'finished',
    });
    expect(named('run traced').attributes).toEqual({
      'flowgate.run.id': record.runId,
      'flowgate.workflow.id': 'traced',
      'flowgate.run.status': 'completed',
    });
    expect(named('run traced').resource).toMatchObject({ 'service.name': 'flowgate' });
    expect(receiver.text()).not.toContain('hunter2');
  });

  it('begins when the run was made, and ends with it', async () => {
    const { record, named } = await traced([FIRST]);
    const run = named('run traced');
    const ms = (nanoseconds: string): number => Number(BigInt(nanoseconds) / 1_000_000n);
    expect(ms(run.startTimeUnixNano)).toBe(record.createdAt);
    expect(ms(run.endTimeUnixNano)).toBe(record.updatedAt);
    expect(ms(named('unit first').startTimeUnixNano)).toBeGreaterThanOrEqual(record.createdAt);
  });

  it('has a span for each attempt, and what failed is an error without its text', async () => {
    let calls = 0;
    unit.answer(() => {
      calls += 1;
      return calls === 1 ? { status: 503, body: 'hunter2' } : { status: 400, body: 'hunter2' };
    });
    const { record, spans, named } = await traced([FIRST]);
    expect(record.status).toBe('failed');
    const attempts = spans.filter(({ name }) => name === 'unit first');
    expect(attempts.map(({ attributes }) => attributes['flowgate.unit.attempt'])).toEqual([1, 2]);
    expect(attempts.map(({ status }) => status.code)).toEqual([2, 2]);
    expect(new Set(attempts.map(({ spanId }) => spanId)).size).toBe(2);
    expect(named('run traced').status.code).toBe(2);
    expect(receiver.text()).not.toContain('hunter2');
  });

  it('is linked to the run that waits for it', async () => {
    const service = await startService({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
    await service.register(document('inner', [mock('a', 'x')]));
    const call = { id: 'call', uses: 'builtin.workflow', config: { workflowId: 'inner' } };
    await service.register(document('outer', [call]));
    const { runId } = await service.start('outer');
    await service.close();
    const inner = receiver.spans().find(({ name }) => name === 'run inner');
    const outer = receiver.spans().find(({ name }) => name === 'run outer');
    expect(outer?.traceId).toBe(runId.replaceAll('-', ''));
    expect(inner?.traceId).not.toBe(outer?.traceId);
    expect(inner?.links).toMatchObject([{ traceId: outer?.traceId, spanId: outer?.spanId }]);
  });
});

describe('sampling', () => {
  it('samples a run as a whole or not at all, and tells the units', async () => {
    const { spans } = await traced([FIRST], {
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0',
    });
    expect(spans).toEqual([]);
    expect(unit.requests[0]!.headers['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });
});

describe('an unreachable collector', () => {
  it('costs runs nothing, and the shutdown two seconds at most', async () => {
    process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '500';
    await receiver.close();
    const { record } = await traced([FIRST]);
    expect(record.status).toBe('completed');
    receiver = await startOtlpReceiver();
    delete process.env['OTEL_EXPORTER_OTLP_TIMEOUT'];
  });
});

describe('without an endpoint', () => {
  it('nothing is traced, and units receive the trace that follows from the run', async () => {
    const { record, spans } = await traced([FIRST], { OTEL_EXPORTER_OTLP_ENDPOINT: '' });
    expect(spans).toEqual([]);
    const trace = record.runId.replaceAll('-', '');
    expect(unit.requests[0]!.headers['traceparent']).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`));
  });
});
