import type { UnitHandler } from '../../src/engine/index.js';

/**
 * Units whose answers depend on nothing but their request, so that a run ends the same whenever it is played.
 * `mended` fails until `isMended` says otherwise.
 */
export function scenarioUnits(isMended: () => boolean): Readonly<Record<string, UnitHandler>> {
  return {
    work: ({ input, context }) => ({
      content: `${context.unitId} of ${JSON.stringify(input)}`,
      tokenUsage: { totalTokens: 3, estimatedCost: 0.5 },
    }),
    count: ({ state }) => ({ content: 'counted', state: { count: Number(state['count'] ?? 0) + 1 } }),
    route: () => ({ content: 'routed', metadata: { route: 'right' } }),
    orchestrate: ({ state }) => ({
      content: 'orchestrated',
      metadata: {
        delegations:
          state['output.ann'] === undefined
            ? [{ targetUnitId: 'ann', task: 'dig' }, { targetUnitId: 'bob' }]
            : [],
      },
    }),
    shaky: ({ context }) => {
      if (context.attempt < 3) throw new Error(`attempt ${context.attempt} failed`);
      return 'steady';
    },
    refuse: () => {
      throw Object.assign(new Error('never'), { retryable: false });
    },
    mended: () => {
      if (!isMended()) throw Object.assign(new Error('refused'), { retryable: false });
      return 'mended';
    },
  };
}
