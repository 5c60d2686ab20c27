import { messageOf } from '../../../errors/flowgate-error.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { Telemetry } from '../../ports/telemetry.js';

/** The telemetry, from which nothing is thrown: one that is broken is said once, and told nothing more. */
export function unfailingTelemetry(telemetry: Telemetry, logger: EngineLogger): Telemetry {
  let isBroken = false;
  const safely =
    <Told extends readonly unknown[]>(tell: (...told: Told) => void) =>
    (...told: Told): void => {
      if (isBroken) return;
      try {
        tell(...told);
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
