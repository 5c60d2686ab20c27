import type { Clock } from '../../src/engine/ports/clock.js';
import type { UnitOutcome, UnitRequest } from '../../src/engine/ports/unit-executor.js';
import type { UnitTransport } from '../../src/engine/ports/unit-transport.js';
import { HttpUnitExecutor, type HttpUnitOptions } from '../../src/engine/units/http/http-unit-executor.js';

export const UNIT_REQUEST: UnitRequest = {
  input: { task: 'Extract F-7', params: { mode: 'strict' } },
  state: { invoiceId: 'F-7', 'output.fetch': 'text' },
  context: {
    workflowId: 'invoice-approval',
    runId: '01990000-0000-7000-8000-000000000001',
    unitId: 'extract',
    executionId: '5',
    attempt: 2,
    traceId: '0af7651916cd43dd8448eb211c80319c',
    deadlineAt: 1_790_000_000_000,
    config: { locale: 'de' },
    contextPolicy: { state: ['invoiceId'] },
  },
};

/** A clock that does not move; `fire` runs what was scheduled, as if it were due. */
export class StoppedClock implements Clock {
  readonly scheduled: { readonly at: number; readonly callback: () => void }[] = [];
  cancelled = 0;

  constructor(private readonly instant: number) {}

  now(): number {
    return this.instant;
  }

  wallTime(): number {
    return this.instant;
  }

  schedule(at: number, callback: () => void): () => void {
    this.scheduled.push({ at, callback });
    return () => {
      this.cancelled += 1;
    };
  }

  fire(): void {
    for (const { callback } of this.scheduled.splice(0)) callback();
  }
}

export const NOW = Date.UTC(2026, 8, 21, 12, 0, 0);

export interface Call {
  readonly endpoint: string;
  readonly transport: UnitTransport;
  readonly options?: Partial<HttpUnitOptions>;
  readonly request?: UnitRequest;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}

/** One attempt of a remote unit, as the runtime makes it. */
export function callUnit(call: Call): Promise<UnitOutcome> {
  const { endpoint, transport } = call;
  const clock = new StoppedClock(NOW);
  const executor = new HttpUnitExecutor({
    endpoint,
    transport,
    clock,
    headers: {},
    timeoutMs: null,
    ...call.options,
  });
  return executor.execute(call.request ?? UNIT_REQUEST, {
    signal: call.signal ?? new AbortController().signal,
    idempotencyKey: call.idempotencyKey ?? 'run-1:5',
  });
}
