import type { RunEvent } from '../core/log/event.js';
import { DEFAULT_NAMESPACE } from '../core/namespace.js';
import type { RunState } from '../core/state/state.js';
import { isStopped, statusOf } from '../core/state/status.js';
import type { EngineLogger } from '../ports/logger.js';
import { SILENT } from './logger.js';
import { mayPause } from './may-pause.js';

/** A unit's error may hold what its user wrote: only enough of it is logged to know which error it is. */
const MAX_ERROR_CHARS = 200;

type Of<T extends RunEvent['type']> = Extract<RunEvent, { readonly type: T }>;
type Ended = Of<'run-completed' | 'run-failed' | 'run-cancelled'>;
type Reason = Of<'paused'>['reason'] | 'gate' | 'pause' | 'child';

/**
 * Logs every run: a line when it starts, pauses and ends, a warning for each retry and failure. Fields are `runId`,
 * `workflowId`, `namespace` (unless it is the default one), `unitId`, `attempt`, `durationMs`; never an input, an output or
 * a header.
 */
export class RunLog {
  private readonly isSilent: boolean;

  constructor(private readonly logger: EngineLogger) {
    this.isSilent = logger === SILENT;
  }

  /** Logs the events of an append; `state` is the run after the last of them. */
  fromEvents(state: RunState, events: readonly RunEvent[]): void {
    if (this.isSilent) return;
    let mayHavePaused = false;
    let isUnitsFailure = false;
    let reason: Reason | null = null;
    let unitId: string | undefined;
    for (const event of events) {
      mayHavePaused ||= mayPause(event);
      switch (event.type) {
        case 'run-started':
          this.started(state);
          break;
        case 'unit-attempt-failed':
          this.retrying(state, event);
          break;
        case 'unit-failed':
          this.unitFailed(state, event);
          isUnitsFailure = true;
          break;
        case 'gate-opened':
          [reason, unitId] = ['gate', event.unitId];
          break;
        case 'child-paused':
          [reason, unitId] = ['child', event.unitId];
          break;
        case 'paused':
          if (event.error !== undefined) this.stopped(state, event, event.error);
          [reason, unitId] = [event.reason, event.unitId];
          break;
        case 'run-completed':
        case 'run-failed':
        case 'run-cancelled':
          this.ended(state, event, isUnitsFailure);
          break;
        default:
      }
    }
    // That a run was paused before these events came is logged: only what moved in it could make it pause again.
    if (mayHavePaused && statusOf(state) === 'paused') {
      this.paused(state, reason ?? (isStopped(state) ? 'pause' : 'gate'), unitId);
    }
  }

  private started(state: RunState): void {
    if (this.hears('info')) this.logger.info('Run started', fieldsOf(state));
  }

  /** `reason`: why no thread continues; `gate`, `pause` where that was so before. */
  private paused(state: RunState, reason: Reason, unitId?: string): void {
    if (!this.hears('info')) return;
    const fields = { ...fieldsOf(state), reason };
    this.logger.info('Run paused', unitId === undefined ? fields : { ...fields, unitId });
  }

  /** `isUnitsFailure`: why it failed was logged for the unit. */
  private ended(state: RunState, event: Ended, isUnitsFailure: boolean): void {
    if (event.type === 'run-failed' && !isUnitsFailure && this.hears('warn')) {
      this.logger.warn('Run failed', { ...fieldsOf(state), error: brief(event.error) });
    }
    if (!this.hears('info')) return;
    const status = event.type.slice('run-'.length);
    this.logger.info('Run ended', { ...fieldsOf(state), status, durationMs: event.at - state.createdAt });
  }

  private retrying(state: RunState, { unitId, attempt, error, at, retryAt }: Of<'unit-attempt-failed'>) {
    if (!this.hears('warn')) return;
    this.logger.warn('Unit failed, it is called again', {
      ...fieldsOf(state),
      unitId,
      attempt,
      retryInMs: retryAt - at,
      error: brief(error),
    });
  }

  private unitFailed(state: RunState, { unitId, attempt, outcome, error }: Of<'unit-failed'>): void {
    if (!this.hears('warn')) return;
    this.logger.warn('Unit failed', { ...fieldsOf(state), unitId, attempt, outcome, error: brief(error) });
  }

  /** A pause that nobody requested: a fault, or a bound that was reached. */
  private stopped(state: RunState, { unitId, reason }: Of<'paused'>, error: string): void {
    if (!this.hears('warn')) return;
    this.logger.warn('Run needs help', { ...fieldsOf(state), unitId, reason, error: brief(error) });
  }

  private hears(level: 'info' | 'warn'): boolean {
    return this.logger.isOn?.(level) ?? true;
  }
}

function fieldsOf({ runId, workflowId, namespace }: RunState): Record<string, unknown> {
  return namespace === DEFAULT_NAMESPACE ? { runId, workflowId } : { runId, workflowId, namespace };
}

function brief(error: string): string {
  return error.length > MAX_ERROR_CHARS ? `${error.slice(0, MAX_ERROR_CHARS)}…` : error;
}
