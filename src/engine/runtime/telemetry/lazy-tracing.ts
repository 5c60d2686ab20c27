import { messageOf } from '../../../errors/flowgate-error.js';
import type { RunEvent } from '../../core/log/event.js';
import type { RunState } from '../../core/state/state.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { AttemptSpan, RunTracing, TracedAttempt } from './run-tracing.js';
import type { TracingOptions } from './tracing-options.js';

/** Where every `@opentelemetry/api` of version 1 keeps what was registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/**
 * Loads tracing only where it is on: OpenTelemetry takes 7 MB and 20 ms at the start. What an SDK throws is logged once;
 * runs continue, untraced.
 */
export class LazyTracing {
  private tracing: RunTracing | null = null;

  /** `false`: nothing is traced, not even where the process has registered an SDK. */
  constructor(
    private readonly options: TracingOptions | false,
    private readonly logger: EngineLogger,
  ) {}

  async open(): Promise<void> {
    const { options } = this;
    if (options === false || (options.provider === undefined && !isRegistered())) return;
    const { RunTracing: Tracing } = await import('./run-tracing.js');
    this.tracing = new Tracing(options);
  }

  /** Null: tracing is off. */
  begin(run: RunState, attempt: TracedAttempt): AttemptSpan | null {
    return this.tracing === null ? null : this.safely((tracing) => tracing.beginAttempt(run, attempt));
  }

  runMoved(run: RunState, events: readonly RunEvent[]): void {
    if (this.tracing !== null) this.safely((tracing) => tracing.runMoved(run, events));
  }

  get isOn(): boolean {
    return this.tracing !== null;
  }

  /** Does something with tracing, or with a span that it began. Null: it threw, or tracing is off. */
  safely<T>(work: (tracing: RunTracing) => T): T | null {
    if (this.tracing === null) return null;
    try {
      return work(this.tracing);
    } catch (error) {
      this.tracing = null;
      this.logger.error('OpenTelemetry threw, and nothing more is traced until the next start', {
        error: messageOf(error),
      });
      return null;
    }
  }
}

function isRegistered(): boolean {
  const registered = (globalThis as Record<symbol, { readonly trace?: unknown } | undefined>)[REGISTERED];
  return registered?.trace !== undefined;
}
