import { constants } from 'node:os';
import type { INestApplication, LoggerService } from '@nestjs/common';
import type { FlowgateConfig } from './config/service/settings.js';
import { Engine } from './engine/index.js';

/** The time after the grace in which the last results are stored, connections take their responses, and the store closes. */
const BEYOND_GRACE_MS = 4_500;

/** What becomes of runs that are left in flight. */
const FATES: Readonly<Record<FlowgateConfig['store'], string>> = {
  memory: 'are lost with this process',
  sqlite: 'go on at the next start',
  postgres: 'go on at another replica, or at the next start',
};

type StopSignal = 'SIGTERM' | 'SIGINT';

export interface ShutDownOptions {
  readonly app: INestApplication;
  readonly logger: Pick<LoggerService, 'log' | 'warn'>;
  readonly config: Pick<FlowgateConfig, 'shutdownGraceMs' | 'store'>;
  /** Ends the process after a fault. */
  readonly fail: (error: unknown) => never;
}

/**
 * Ends the process at SIGTERM and SIGINT: units in flight get their grace, and the last line says what is left in
 * flight. What is stored by then is safe however the process ends, so it ends at the latest 4.5 s after the grace,
 * and at once at a second signal.
 */
export function shutDownOnSignal({ app, logger, config, fail }: ShutDownOptions): void {
  const engine = app.get(Engine);
  const { shutdownGraceMs } = config;
  const sayLast = (how: string | null): void => {
    const { units, runs } = engine.inFlight();
    const left = `${units} unit(s) and ${runs} run(s) left in flight${runs === 0 ? '' : `, which ${FATES[config.store]}`}`;
    const fields = { units, runs };
    if (how === null) logger.log(`Flowgate has stopped; ${left}`, fields);
    else logger.warn(`Flowgate has stopped ${how}; ${left}`, fields);
  };
  let isStopping = false;
  const stop = (signal: StopSignal): void => {
    if (isStopping) {
      sayLast(`at a second signal (${signal}), before everything came to its end`);
      endAtOnce(signal);
      return;
    }
    isStopping = true;
    logger.log(`${signal}: no new runs; units in flight get ${shutdownGraceMs} ms`);
    const deadline = setTimeout(() => {
      sayLast('for lack of time, before everything came to its end');
      process.exit(0);
    }, shutdownGraceMs + BEYOND_GRACE_MS);
    void app.close().then(
      () => {
        clearTimeout(deadline);
        sayLast(null);
        process.exit(0);
      },
      (error: unknown) => {
        sayLast('after a fault');
        fail(error);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/**
 * Ends the process at SIGTERM and SIGINT while the service is being made, when there is nothing to drain: what it has begun by then
 * goes on elsewhere as after a crash. Without it the first process of a container would not end at all. Returns how to stop that.
 */
export function endOnSignal(logger: Pick<LoggerService, 'log'>): () => void {
  const end = (signal: StopSignal): void => {
    logger.log(`${signal}: Flowgate ends before it has started`);
    endAtOnce(signal);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  return () => void process.off('SIGTERM', end).off('SIGINT', end);
}

/** An exit waits for all threads, and so for a disk that does not respond; a signal does not. */
function endAtOnce(signal: StopSignal): void {
  // The log must be written first.
  setImmediate(() => {
    process.removeAllListeners('SIGTERM').removeAllListeners('SIGINT');
    process.kill(process.pid, signal);
    // The first process of a container ignores its own signals.
    process.exit(128 + constants.signals[signal]);
  });
}
