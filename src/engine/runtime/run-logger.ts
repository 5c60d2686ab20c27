import { beginningOf } from '../core/turn/failing/beginning-of.js';
import type { JsonObject } from '../core/json.js';
import { eventKind } from '../core/log/event-kinds.js';
import type { RunEvent } from '../core/log/event.js';
import type { PublicForm } from '../core/log/public-form.js';
import { DEFAULT_NAMESPACE } from '../core/namespace.js';
import type { RunState } from '../core/state/state.js';
import { isStopped, statusOf } from '../core/state/status.js';
import type { EngineLogger } from '../ports/logger.js';
import { SILENT } from './logger.js';

/** A unit's error may hold what its user wrote: only enough of it is logged to know which error it is. */
const MAX_ERROR_CHARS = 200;

/** What the lines are made of: fields of public events. */
interface Data {
  readonly unitId: string | null;
  readonly kind: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly error?: string;
  readonly retryAt: number;
  readonly reason: string;
}

interface Logged {
  readonly at: number;
  readonly data: Data;
}

/**
 * Logs every run: a line when it starts, pauses and ends, a warning for each retry and failure. Fields are `runId`,
 * `workflowId`, `namespace` (unless it is the default one), `unitId`, `attempt`, `durationMs`; never an input, an output or
 * a header.
 */
export class RunLogger {
  private readonly isSilent: boolean;

  constructor(private readonly logger: EngineLogger) {
    this.isSilent = logger === SILENT;
  }

  /** Logs the events of an append: `state` is the run after the last of them, `before` the run before the first, if known. */
  fromEvents(state: RunState, events: readonly RunEvent[], before: RunState | null): void {
    if (this.isSilent || events.length === 0) return;
    let mayHavePaused = before !== null && statusOf(before) !== 'paused';
    let isUnitsFailure = false;
    let reason: string | null = null;
    let unitId: string | undefined;
    for (const event of events) {
      const { facts } = eventKind(event.type);
      mayHavePaused ||= facts.mayPause;
      const form: PublicForm | null = facts.publicForm?.(event) ?? null;
      if (form === null) continue;
      const logged = { at: event.at, data: form.data as JsonObject as unknown as Data };
      switch (form.type) {
        case 'run.started':
          this.started(state);
          break;
        case 'unit.retrying':
          this.retrying(state, logged);
          break;
        case 'unit.failed':
          // A child run that failed logs its own failure.
          if (logged.data.kind !== 'unit') break;
          this.unitFailed(state, logged);
          isUnitsFailure = true;
          break;
        case 'gate.opened':
          [reason, unitId] = ['gate', logged.data.unitId ?? ''];
          break;
        case 'run.paused':
          // That a child run is paused is logged for it.
          if (logged.data.error !== undefined) this.stopped(state, logged, logged.data.error);
          [reason, unitId] = [logged.data.reason, logged.data.unitId ?? ''];
          break;
        case 'run.completed':
        case 'run.failed':
        case 'run.cancelled':
          this.ended(state, { at: event.at, form }, isUnitsFailure);
          break;
        case 'compensation.failed':
          this.notUndone(state, logged);
          break;
        case 'compensation.started':
        case 'compensation.finished':
        case 'run.forked':
        case 'run.resumed':
        case 'run.rewound':
        case 'unit.scheduled':
        case 'unit.finished':
        case 'unit.skipped':
        case 'state.written':
        case 'gate.decided':
          break;
      }
    }
    // That a run was paused before these events came is logged: only what moved in it can have made it pause again.
    if (mayHavePaused && statusOf(state) === 'paused') {
      this.paused(state, reason ?? (isStopped(state) ? 'pause' : 'gate'), unitId);
    }
  }

  private started(state: RunState): void {
    if (this.hears('info')) this.logger.info('Run started', fieldsOf(state));
  }

  /** `reason`: why no thread continues; `gate`, `pause` where that was so before. */
  private paused(state: RunState, reason: string, unitId?: string): void {
    if (!this.hears('info')) return;
    const fields = { ...fieldsOf(state), reason };
    this.logger.info('Run paused', unitId === undefined ? fields : { ...fields, unitId });
  }

  /** `isUnitsFailure`: why it failed was logged for the unit. */
  private ended(
    state: RunState,
    { at, form }: { readonly at: number; readonly form: PublicForm },
    isUnitsFailure: boolean,
  ): void {
    if (form.type === 'run.failed' && !isUnitsFailure && this.hears('warn')) {
      this.logger.warn('Run failed', { ...fieldsOf(state), error: brief(String(form.data['error'])) });
    }
    if (!this.hears('info')) return;
    const status = form.type.slice('run.'.length);
    this.logger.info('Run ended', { ...fieldsOf(state), status, durationMs: at - state.createdAt });
  }

  private retrying(state: RunState, { at, data }: Logged): void {
    const { unitId, attempt, error = '', retryAt } = data;
    if (!this.hears('warn')) return;
    this.logger.warn('Unit failed, it is called again', {
      ...fieldsOf(state),
      unitId,
      attempt,
      retryInMs: retryAt - at,
      error: brief(error),
    });
  }

  private unitFailed(state: RunState, { data: { unitId, attempt, outcome, error = '' } }: Logged): void {
    if (!this.hears('warn')) return;
    this.logger.warn('Unit failed', { ...fieldsOf(state), unitId, attempt, outcome, error: brief(error) });
  }

  /** What was done stays done, until a person sees to it. */
  private notUndone(state: RunState, { data: { error = '' } }: Logged): void {
    if (this.hears('warn')) this.logger.warn('Call not undone', { ...fieldsOf(state), error: brief(error) });
  }

  /** A pause that nobody requested: a fault, or a bound that was reached. */
  private stopped(state: RunState, { data: { unitId, reason } }: Logged, error: string): void {
    if (!this.hears('warn')) return;
    this.logger.warn('Run needs help', {
      ...fieldsOf(state),
      unitId: unitId ?? '',
      reason,
      error: brief(error),
    });
  }

  private hears(level: 'info' | 'warn'): boolean {
    return this.logger.isOn?.(level) ?? true;
  }
}

function fieldsOf({ runId, workflowId, namespace }: RunState): Record<string, unknown> {
  return namespace === DEFAULT_NAMESPACE ? { runId, workflowId } : { runId, workflowId, namespace };
}

function brief(error: string): string {
  return error.length > MAX_ERROR_CHARS ? `${beginningOf(error, MAX_ERROR_CHARS)}…` : error;
}
