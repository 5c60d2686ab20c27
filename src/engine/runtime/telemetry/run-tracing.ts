import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  context,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type Tracer,
} from '@opentelemetry/api';
import type { RunEvent } from '../../core/log/event.js';
import { DEFAULT_NAMESPACE } from '../../core/namespace.js';
import { spanOf, spanOfRun, traceOf } from '../../core/ids/span-id.js';
import type { RunState } from '../../core/state/state.js';
import type { AttemptOutcome } from '../../ports/telemetry.js';
import type { SpanIds } from './span-ids.js';
import type { TracingOptions } from './tracing-options.js';
import { endIn } from './run-meter.js';

/** The span of an attempt under way. */
export interface AttemptSpan {
  readonly traceparent: string;
  within<T>(call: () => T): T;
  end(outcome: AttemptOutcome): void;
}

/** The attempt that a span is for. */
export interface TracedAttempt {
  readonly unitId: string;
  /** The execution id that units are given. */
  readonly executionId: string;
  readonly attempt: number;
  /** As in `Telemetry.attempted`. */
  readonly origin: string;
}

type TracedRun = Pick<RunState, 'runId' | 'namespace' | 'workflowId'>;

const NAME = 'flowgate';

/**
 * Spans of runs and of the attempts of their units, by OpenTelemetry.
 *
 * 1. The trace and the span of a run follow from its id: an attempt names its parent whichever process makes it, before and
 *    after a crash, and the span of the run is made when it has ended, with the time at which it began.
 * 2. An attempt that is called again as the same attempt (after a crash, a shutdown, a pause) is one span: the last.
 * 3. No text of the author's or the run's is in a span but ids: no input, output, header or error.
 *
 * The module is loaded only where tracing is on.
 */
export class RunTracing {
  private readonly tracer: Tracer;
  private readonly ids: SpanIds | null;

  constructor({ provider, spanIds }: TracingOptions) {
    this.tracer = (provider ?? trace).getTracer(NAME);
    this.ids = spanIds ?? null;
  }

  beginAttempt(run: TracedRun, { unitId, executionId, attempt, origin }: TracedAttempt): AttemptSpan {
    const attributes: Attributes = {
      ...attributesOf(run),
      'flowgate.unit.id': unitId,
      'flowgate.unit.attempt': attempt,
      'flowgate.unit.origin': origin,
    };
    const kind = origin.startsWith('http') ? SpanKind.CLIENT : SpanKind.INTERNAL;
    const parent = trace.setSpanContext(ROOT_CONTEXT, contextOfRun(run.runId));
    const start = (): Span => this.tracer.startSpan(`unit ${unitId}`, { kind, attributes }, parent);
    const names = { traceId: traceOf(run.runId), spanId: spanOf(executionId, attempt) };
    return new OpenAttempt(this.ids === null ? start() : this.ids.named(names, start));
  }

  /** Makes the span of a run that these events brought to its end; else nothing. */
  runMoved(run: RunState, events: readonly RunEvent[]): void {
    for (const event of events) {
      const status = endIn(event);
      if (status !== null) this.runEnded(run, status, event.at);
    }
  }

  private runEnded(run: RunState, status: string, endedAt: number): void {
    const { runId, workflowId, createdAt } = run;
    const options = {
      // As a date: a number from before the start of the process would be taken for another clock's.
      startTime: new Date(createdAt),
      attributes: { ...attributesOf(run), 'flowgate.run.status': status },
      links: linksOf(run),
    };
    const { ids } = this;
    const names = { traceId: traceOf(runId), spanId: spanOfRun(runId) };
    const start = (within: Context): Span => this.tracer.startSpan(`run ${workflowId}`, options, within);
    const span =
      ids === null
        ? start(trace.setSpanContext(ROOT_CONTEXT, contextOfRun(runId)))
        : ids.named(names, () => start(ROOT_CONTEXT));
    if (status === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(new Date(endedAt));
  }
}

class OpenAttempt implements AttemptSpan {
  constructor(private readonly span: Span) {}

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.span.spanContext();
    return `00-${traceId}-${spanId}-${(traceFlags & TraceFlags.SAMPLED) === 0 ? '00' : '01'}`;
  }

  within<T>(call: () => T): T {
    return context.with(trace.setSpan(ROOT_CONTEXT, this.span), call);
  }

  end(outcome: AttemptOutcome): void {
    this.span.setAttribute('flowgate.unit.outcome', outcome);
    if (outcome === 'failed' || outcome === 'timed-out') this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }
}

function contextOfRun(runId: string): SpanContext {
  const named = { traceId: traceOf(runId), spanId: spanOfRun(runId) };
  return { ...named, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}

/** Links to the run that waits for it, and to the one that it is a fork of: those are traces of their own. */
function linksOf({ parent, forkedFrom }: RunState): Link[] {
  const links: Link[] = [];
  if (parent !== null) links.push(linkTo(parent.runId, 'parent'));
  if (forkedFrom !== null) links.push(linkTo(forkedFrom, 'forked-from'));
  return links;
}

function linkTo(runId: string, relation: string): Link {
  return {
    context: contextOfRun(runId),
    attributes: { 'flowgate.link': relation, 'flowgate.run.id': runId },
  };
}

function attributesOf({ runId, namespace, workflowId }: TracedRun): Attributes {
  const ids = { 'flowgate.run.id': runId, 'flowgate.workflow.id': workflowId };
  return namespace === DEFAULT_NAMESPACE ? ids : { ...ids, 'flowgate.namespace': namespace };
}
