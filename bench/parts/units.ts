// Part 4: three HTTP units in a row, as a workflow and as somebody would write them by hand; and one outgoing call. Not
// measured: a network, TLS, units that take time, retries, large answers.
import { hold } from '../support/contest.ts';
import { startContender, CALLERS as CALLS } from '../support/contender.ts';
import { CALLERS, load } from '../support/load.ts';
import { startByHand, startFlowgate, startUnit } from '../support/our-services.ts';
import type { Effort, Part } from '../support/part.ts';
import { NOTHING_FOUND, type Findings } from '../support/results.ts';
import { scoped, type Scope } from '../support/scope.ts';
import { SQLITE_DURABILITY } from './engine.ts';

export const units: Part = {
  name: 'units',
  title: 'three HTTP units against three calls written by hand; one outgoing POST against pool.request',
  minutes: 2.5,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const { rounds, warmUp, seconds } = effort;
  const unit = await startUnit(scope);
  const byHand = await startByHand(scope, unit);
  const memory = await startFlowgate(scope, 'memory', { unitEndpoint: unit });
  const sqlite = await startFlowgate(scope, 'sqlite', { unitEndpoint: unit });
  const workflow = await hold({
    id: 'units',
    title: 'Three HTTP units, `sync: true`, over HTTP',
    operation: 'run',
    reference: 'written by hand',
    contenders: {
      'written by hand': () => load(byHand, seconds),
      'Flowgate, in memory': () => load(memory, seconds),
      'Flowgate, on SQLite': () => load(sqlite, seconds),
    },
    rounds,
    warmUp,
  });
  const posts = await scope.use(startContender('bench/contenders/posts.ts', [unit]));
  const call = await hold({
    id: 'post',
    title: 'One outgoing POST, same process',
    operation: 'call',
    reference: 'pool.request',
    contenders: {
      'pool.request': () => posts.measure('pool.request', seconds),
      'transport of Flowgate': () => posts.measure('transport', seconds),
    },
    rounds,
    warmUp,
  });
  return {
    ...NOTHING_FOUND,
    contests: [workflow, call],
    settings: {
      connections: CALLERS,
      'calls under way at the same time': CALLS,
      'seconds of a round': seconds,
    },
    durability: {
      'Flowgate, in memory': 'nothing is durable',
      'Flowgate, on SQLite': SQLITE_DURABILITY,
      'written by hand': 'nothing is durable, nothing is tried again',
    },
  };
}
