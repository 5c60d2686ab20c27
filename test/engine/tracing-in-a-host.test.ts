import { jest } from '@jest/globals';
import { SpanStatusCode, context, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  RandomIdGenerator,
  SimpleSpanProcessor,
  TracerProvider,
  type IdGenerator,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import { AsyncLocalStorage } from 'node:async_hooks';
import { SpanIds, type EngineOptions } from '../../src/engine/index.js';
import { RecordingLogger } from '../../src/engine/testing/recording-logger.js';
import { inSequence, openEngine } from '../support/engine.js';

/** An active context that follows promises, as an SDK of a host provides it. */
class Contexts {
  private readonly storage = new AsyncLocalStorage<ReturnType<typeof context.active>>();
  active = () => this.storage.getStore() ?? ROOT;
  with = (active: never, call: (...args: never[]) => unknown, self?: unknown, ...args: never[]) =>
    this.storage.run(active, () => call.apply(self, args));
  bind = (_active: never, target: unknown) => target;
  enable = () => this;
  disable = () => this;
}
const ROOT = context.active();

const exporter = new InMemorySpanExporter();
const providerWith = (idGenerator: IdGenerator, ...more: readonly SpanProcessor[]): TracerProvider =>
  new TracerProvider({ idGenerator, spanProcessors: [new SimpleSpanProcessor({ exporter }), ...more] });

afterEach(() => {
  exporter.reset();
  trace.disable();
  context.disable();
});

const units = {
  greets: async () => {
    await new Promise((resolve) => setImmediate(resolve));
    trace.getTracer('host').startSpan('inside').end();
    return 'hello';
  },
};

async function runWith(tracing: EngineOptions['tracing'], options: Partial<EngineOptions> = {}) {
  const { engine } = await openEngine(units, {
    ...options,
    ...(tracing === undefined ? {} : { tracing }),
  });
  await engine.workflows.register({ yaml: inSequence('plain', [{ id: 'a', uses: 'greets' }]) });
  const record = await engine.runs.start({ workflowId: 'plain', input: {}, sync: true });
  await engine.close();
  const spans = exporter.getFinishedSpans();
  const named = (name: string): ReadableSpan => spans.find((span) => span.name === name)!;
  return { record, spans, named };
}

describe('in a host that has registered an SDK', () => {
  beforeEach(() => context.setGlobalContextManager(new Contexts() as never));

  it('runs are traced, and spans of host code in a unit are children of its attempt', async () => {
    const ids = new SpanIds();
    trace.setGlobalTracerProvider(providerWith(ids));
    const { record, spans, named } = await runWith({ spanIds: ids });
    expect(spans.map(({ name }) => name).toSorted()).toEqual(['inside', 'run plain', 'unit a']);
    expect(named('run plain').spanContext().traceId).toBe(record.runId.replaceAll('-', ''));
    expect(named('run plain').parentSpanContext).toBeUndefined();
    expect(named('unit a').parentSpanContext?.spanId).toBe(named('run plain').spanContext().spanId);
    expect(named('inside').parentSpanContext?.spanId).toBe(named('unit a').spanContext().spanId);
  });

  it('whose ids are its own, the run’s span and its attempts are siblings in the run’s trace', async () => {
    trace.setGlobalTracerProvider(providerWith(new RandomIdGenerator()));
    const { record, named } = await runWith(undefined);
    const traceId = record.runId.replaceAll('-', '');
    for (const name of ['run plain', 'unit a', 'inside'])
      expect(named(name).spanContext().traceId).toBe(traceId);
    expect(named('unit a').parentSpanContext?.spanId).toBe(named('run plain').parentSpanContext?.spanId);
    expect(named('inside').parentSpanContext?.spanId).toBe(named('unit a').spanContext().spanId);
  });

  it('and requested no traces, nothing is traced', async () => {
    trace.setGlobalTracerProvider(providerWith(new RandomIdGenerator()));
    const { spans } = await runWith(false);
    expect(spans.map(({ name }) => name)).toEqual(['inside']);
  });

  it('that throws, runs continue untraced, and that is logged once', async () => {
    const ill = (): never => {
      throw new Error('ill');
    };
    const processor = { onStart: ill, onEnd: ill, forceFlush: jest.fn(), shutdown: jest.fn() };
    const logger = new RecordingLogger();
    const provider = providerWith(new RandomIdGenerator(), processor as unknown as SpanProcessor);
    const { record } = await runWith({ provider }, { logger });
    expect(record.status).toBe('completed');
    expect(logger.at('error')).toEqual([
      'OpenTelemetry threw, and nothing more is traced until the next start',
    ]);
  });
});

describe('in a host that has none', () => {
  it('nothing is traced', async () => {
    expect((await runWith(undefined)).spans).toEqual([]);
  });
});

describe('the span of an attempt', () => {
  it('is an error where it took too long or failed, and else is none', async () => {
    const ids = new SpanIds();
    const fails = () => Promise.reject(Object.assign(new Error('no'), { retryable: false }));
    const { engine, clock } = await openEngine(
      { works: () => 'done', fails, hangs: () => new Promise(() => undefined) },
      { tracing: { provider: providerWith(ids), spanIds: ids } },
    );
    for (const uses of ['works', 'fails', 'hangs']) {
      const policyOverrides = { retry: { maxAttempts: 1 }, timeout: { unitMs: 100 } };
      await engine.workflows.register({ yaml: inSequence(uses, [{ id: uses, uses, policyOverrides }]) });
      const run = engine.runs.start({ workflowId: uses, input: {}, sync: true });
      await clock.advance(1_000);
      await run;
    }
    await engine.close();
    const attempts = exporter.getFinishedSpans().filter(({ name }) => name.startsWith('unit '));
    expect(
      attempts.map(({ attributes, status }) => [attributes['flowgate.unit.outcome'], status.code]),
    ).toEqual([
      ['finished', SpanStatusCode.UNSET],
      ['failed', SpanStatusCode.ERROR],
      ['timed-out', SpanStatusCode.ERROR],
    ]);
  });
});

describe('an attempt that a pause freezes and that is called again', () => {
  it('is one span', async () => {
    const ids = new SpanIds();
    const calls: ((said: string) => void)[] = [];
    const { engine, clock } = await openEngine(
      { waits: () => new Promise<string>((resolve) => void calls.push(resolve)) },
      { tracing: { provider: providerWith(ids), spanIds: ids }, cancelGraceMs: 10, resumeWaitMs: 0 },
    );
    await engine.workflows.register({ yaml: inSequence('held', [{ id: 'a', uses: 'waits' }]) });
    const { runId } = await engine.runs.start({ workflowId: 'held', input: {} });
    const pausing = engine.runs.pause({ workflowId: 'held', runId });
    await clock.advance(1_000);
    await pausing;
    const resuming = engine.runs.resume({ workflowId: 'held', runId });
    await clock.advance(1_000);
    await resuming;
    expect(calls).toHaveLength(2);
    calls[1]!('done');
    await new Promise((resolve) => setImmediate(resolve));
    await engine.close();
    const names = exporter
      .getFinishedSpans()
      .map(({ name, attributes }) => [
        name,
        attributes['flowgate.unit.outcome'] ?? attributes['flowgate.run.status'],
      ]);
    expect(names).toEqual([
      ['unit a', 'finished'],
      ['run held', 'completed'],
    ]);
  });
});
