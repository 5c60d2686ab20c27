import { messageOf } from '../../../errors/flowgate-error.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { Telemetry } from '../../ports/telemetry.js';

/** A telemetry that never throws: that the given one is broken is logged once, and it gets nothing more. */
export function unfailingTelemetry(telemetry: Telemetry, logger: EngineLogger): Telemetry {
  let isBroken = false;
  const safely =
    <Args extends readonly unknown[]>(report: (...args: Args) => void) =>
    (...args: Args): void => {
      if (isBroken) return;
      try {
        report(...args);
      } catch (error) {
        isBroken = true;
        logger.error('The telemetry threw, and is told nothing more until the next start', {
          error: messageOf(error),
        });
      }
    };
  return {
    runStarted: safely(() => telemetry.runStarted()),
    runEnded: safely((status, lastedMs) => telemetry.runEnded(status, lastedMs)),
    attempted: safely((origin, outcome, tookMs) => telemetry.attempted(origin, outcome, tookMs)),
    appended: safely((outcome, tookMs) => telemetry.appended(outcome, tookMs)),
    committed: safely((operations, tookMs, isDurable) => telemetry.committed(operations, tookMs, isDurable)),
  };
}
