import type { Unit, UnitCall } from './engine.ts';

/** A call as it is compared: the same units, under the same keys, in whichever build. */
export type Called = Pick<UnitCall, 'runId' | 'unitId' | 'key' | 'attempt'>;

/** `then`: the folder is being written, and units fail or never answer. `now`: its runs are brought to their end. */
export type When = 'then' | 'now';

const MAX_ECHO = 80;

/** Units whose answers depend on their request and on `when`, and on nothing else. */
export function unitsAt(when: When, onCall: (call: Called) => void): Readonly<Record<string, Unit>> {
  const noticed =
    (unit: Unit): Unit =>
    (call) => {
      const { runId, unitId, key, attempt } = call;
      onCall({ runId, unitId, key, attempt });
      return unit(call);
    };
  return {
    work: noticed(work),
    count: noticed(({ state }) => ({
      content: 'counted',
      state: { count: Number(state['count'] ?? 0) + 1 },
    })),
    route: noticed(() => ({ content: 'routed', metadata: { route: 'asked' } })),
    orchestrate: noticed(orchestrate),
    flaky: noticed((call) => (call.attempt === 1 ? fail(call) : work(call))),
    never: noticed((call) => refuse(call)),
    breaks: noticed((call) => (when === 'then' ? fail(call) : work(call))),
    refuses: noticed((call) => (when === 'then' ? refuse(call) : work(call))),
    hangs: noticed((call) => (when === 'then' ? forEver() : work(call))),
    'fails-and-hangs': noticed((call) => {
      if (call.attempt === 1) return fail(call);
      return when === 'then' ? forEver() : work(call);
    }),
  };
}

function work({ unitId, input }: UnitCall): unknown {
  return {
    content: `${unitId} of ${JSON.stringify(input).slice(0, MAX_ECHO)}`,
    tokenUsage: { totalTokens: 3, estimatedCost: 0.5 },
  };
}

/** Two rounds: three specialists, then one of them again. */
function orchestrate({ state }: UnitCall): unknown {
  const round = Number(state['round'] ?? 0) + 1;
  const rounds: readonly object[][] = [
    [{ targetUnitId: 'ann', task: 'dig' }, { targetUnitId: 'ask' }, { targetUnitId: 'cat', task: 'fill' }],
    [{ targetUnitId: 'ann', task: 'rake' }],
  ];
  return { content: 'orchestrated', state: { round }, metadata: { delegations: rounds[round - 1] ?? [] } };
}

/** Tried again, and of unknown outcome: the key is kept. */
function fail({ unitId, attempt }: UnitCall): never {
  throw new Error(`${unitId} broke in attempt ${attempt}`);
}

/** Not tried again, and nothing was done. */
function refuse({ unitId }: UnitCall): never {
  throw Object.assign(new Error(`${unitId} refused`), { retryable: false });
}

function forEver(): Promise<never> {
  return new Promise(() => undefined);
}
