import { setTimeout as delay } from 'node:timers/promises';
import { startUnitServer, type UnitServer } from '../../support/unit-server.js';
import type { Choices } from './choices.js';
import type { ExecutionLedger } from './execution-ledger.js';

/** How the units behave, and what is notified of their calls. */
export interface UnitHabits {
  /** Default: 0. */
  readonly shortestMs?: number;
  readonly longestMs: number;
  /** How often a call is answered with 503. */
  readonly failures: number;
  /** How often a result is too long for a message. */
  readonly longResults: number;
  /** Called at each arrival, and right after each response. */
  readonly onCall?: (moment: 'arrived' | 'answered') => void;
}

/** What every result costs, as its unit reports. */
export const TOKENS = 10;
const LONG = 'x'.repeat(5_000);
/** The unit that says no the first time, and yes when its run is resumed. */
export const REFUSING_UNIT = 'refuses-once';

/** Real units that respond for every `uses`, and record their calls in the ledger. */
export function startLedgerUnits(
  ledger: ExecutionLedger,
  choices: Choices,
  habits: UnitHabits,
): Promise<UnitServer> {
  const refused = new Set<string>();
  return startUnitServer(async ({ headers, body }, response) => {
    const key = headers['idempotency-key'];
    const result = ledger.arrived(typeof key === 'string' ? key : undefined, body);
    const { unitId, runId } = (JSON.parse(body) as { context: { unitId: string; runId: string } }).context;
    habits.onCall?.('arrived');
    await delay(choices.between(habits.shortestMs ?? 0, habits.longestMs));
    response.once('finish', () => habits.onCall?.('answered'));
    if (unitId === REFUSING_UNIT && refused.size !== refused.add(runId).size) {
      ledger.replied(result, 'failure');
      return { status: 422, body: 'not yet' };
    }
    if (choices.happens(habits.failures)) {
      ledger.replied(result, 'failure');
      return { status: 503, body: 'busy' };
    }
    ledger.replied(result, 'result');
    const padding = choices.happens(habits.longResults) ? { padding: LONG } : {};
    return { body: { content: { ...result, ...padding }, tokenUsage: { totalTokens: TOKENS } } };
  });
}
