// Part 2: the same over HTTP, in memory, against a bare endpoint of the same framework that answers a record of the same
// size. Not measured: remote units, a network, a store on disk.
import { holdOnEqualTerms, termsOf } from '../support/equal-terms.ts';
import { startBare, startFlowgate } from '../support/our-services.ts';
import { CALLERS, load } from '../support/load.ts';
import type { Effort, Part } from '../support/part.ts';
import { NOTHING_FOUND, type Findings } from '../support/results.ts';
import { scoped, type Scope } from '../support/scope.ts';

export const http: Part = {
  name: 'http',
  title: 'over HTTP in memory, against a bare Nest and Express endpoint',
  minutes: 3,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const flowgate = await startFlowgate(scope, 'memory');
  const bare = await startBare(scope, flowgate.record);
  const contest = await holdOnEqualTerms(
    {
      id: 'http',
      title: 'Three builtin units with `sync: true`, over HTTP',
      operation: 'run',
      reference: 'bare endpoint',
      contenders: {
        'bare endpoint': (seconds) => load(bare, seconds),
        'Flowgate, in memory': (seconds) => load(flowgate, seconds),
      },
    },
    effort,
  );
  return {
    ...NOTHING_FOUND,
    contests: [contest],
    settings: {
      connections: CALLERS,
      ...termsOf(effort),
      'bytes of a record': JSON.stringify(flowgate.record).length,
    },
    durability: { 'Flowgate, in memory': 'nothing is durable' },
  };
}
