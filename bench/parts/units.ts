// Part 4: three HTTP units in a row, as a workflow and as somebody would write them by hand; what is written to the disk for
// them; and one outgoing call. Not measured: a network, TLS, units that take time, retries, large answers.
import { startContender, CALLERS as CALLS } from '../support/contender.ts';
import { holdOnEqualTerms, termsOf } from '../support/equal-terms.ts';
import { CALLERS, load } from '../support/load.ts';
import { startByHand, startFlowgate, startUnit } from '../support/our-services.ts';
import type { Effort, Part } from '../support/part.ts';
import { NOTHING_FOUND, type Findings, type Gap, type Quantity } from '../support/results.ts';
import { scoped, type Scope } from '../support/scope.ts';
import { figureOf } from '../support/statistics.ts';
import { writtenKilobytesPerRun } from '../support/written-bytes.ts';
import { SQLITE_DURABILITY } from './engine.ts';

export const units: Part = {
  name: 'units',
  title: 'three HTTP units against three calls written by hand; one outgoing POST against pool.request',
  minutes: 7,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const unit = await startUnit(scope);
  const byHand = await startByHand(scope, unit);
  const memory = await startFlowgate(scope, 'memory', { unitEndpoint: unit });
  const sqlite = await startFlowgate(scope, 'sqlite', { unitEndpoint: unit });
  const workflow = await holdOnEqualTerms(
    {
      id: 'units',
      title: 'Three HTTP units, `sync: true`, over HTTP',
      operation: 'run',
      reference: 'written by hand',
      contenders: {
        'written by hand': (seconds) => load(byHand, seconds),
        'Flowgate, in memory': (seconds) => load(memory, seconds),
        'Flowgate, on SQLite': (seconds) => load(sqlite, seconds),
      },
    },
    effort,
  );
  const written = await writtenKilobytesPerRun(sqlite, effort);
  const posts = await scope.use(startContender('bench/contenders/posts.ts', [unit]));
  const call = await holdOnEqualTerms(
    {
      id: 'post',
      title: 'One outgoing POST, same process',
      operation: 'call',
      reference: 'pool.request',
      contenders: {
        'pool.request': (seconds) => posts.measure('pool.request', seconds),
        'transport of Flowgate': (seconds) => posts.measure('transport', seconds),
      },
    },
    effort,
  );
  return {
    ...NOTHING_FOUND,
    contests: [workflow, call],
    ...quantitiesOf(written),
    settings: {
      connections: CALLERS,
      'calls under way at the same time': CALLS,
      ...termsOf(effort),
    },
    durability: {
      'Flowgate, in memory': 'nothing is durable',
      'Flowgate, on SQLite': SQLITE_DURABILITY,
      'written by hand': 'nothing is durable, nothing is tried again',
    },
  };
}

function quantitiesOf(written: readonly number[]): {
  readonly quantities: readonly Quantity[];
  readonly notAvailable: readonly Gap[];
} {
  const title = 'Written to the disk for a run of three HTTP units, on SQLite';
  return written.length === 0
    ? { quantities: [], notAvailable: [{ name: 'written to the disk', reason: 'there is no /proc/…/io' }] }
    : {
        quantities: [{ id: 'written-per-run', title, unit: 'KB', value: figureOf(written) }],
        notAvailable: [],
      };
}
