// Part 3: the same over HTTP on SQLite, next to in memory, and against services that are durable as well: Restate, and DBOS
// on PostgreSQL. Not measured: remote units, a network, a cluster, recovery.
import { startDbos } from '../support/dbos.ts';
import { holdOnEqualTerms, termsOf, type TimedWork } from '../support/equal-terms.ts';
import { CALLERS, load, post, type Target } from '../support/load.ts';
import { startBare, startFlowgate } from '../support/our-services.ts';
import type { Effort, Part } from '../support/part.ts';
import { peerOrGap } from '../support/peer-or-gap.ts';
import { POSTGRES_DURABILITY } from '../support/postgres.ts';
import { RESTATE_DURABILITY, startRestate } from '../support/restate.ts';
import { NOTHING_FOUND, type Findings, type Gap } from '../support/results.ts';
import { scoped, type Scope } from '../support/scope.ts';
import { SQLITE_DURABILITY } from './engine.ts';

export const httpSqlite: Part = {
  name: 'http-sqlite',
  title: 'over HTTP on SQLite, beside in memory, Restate, and DBOS on PostgreSQL',
  minutes: 8,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const gaps: Gap[] = [];
  const [memory, sqlite] = [await startFlowgate(scope, 'memory'), await startFlowgate(scope, 'sqlite')];
  const bare = await startBare(scope, memory.record);
  const restate = await peerOrGap('Restate', effort, gaps, () => tried(startRestate(scope)));
  const dbos = await peerOrGap('DBOS on PostgreSQL', effort, gaps, () => tried(startDbos(scope)));

  const contenders: Record<string, TimedWork> = {
    'bare endpoint': (seconds) => load(bare, seconds),
    'Flowgate, in memory': (seconds) => load(memory, seconds),
    'Flowgate, on SQLite': (seconds) => load(sqlite, seconds),
  };
  if (restate !== null) contenders['Restate'] = (seconds) => load(restate, seconds);
  if (dbos !== null) contenders['DBOS on PostgreSQL'] = (seconds) => load(dbos, seconds);
  const contest = await holdOnEqualTerms(
    {
      id: 'http-sqlite',
      title: 'Three units or steps, durable, over HTTP',
      operation: 'run',
      reference: 'Flowgate, on SQLite',
      contenders,
    },
    effort,
  );
  return {
    ...NOTHING_FOUND,
    contests: [contest],
    notAvailable: gaps,
    versions: {
      ...(restate === null ? {} : { 'restate-server': restate.version }),
      ...(dbos === null ? {} : { '@dbos-inc/dbos-sdk': dbos.version, PostgreSQL: dbos.postgres }),
    },
    settings: { connections: CALLERS, ...termsOf(effort) },
    durability: {
      'Flowgate, in memory': 'nothing is durable',
      'Flowgate, on SQLite': SQLITE_DURABILITY,
      Restate: RESTATE_DURABILITY,
      'DBOS on PostgreSQL': POSTGRES_DURABILITY,
    },
  };
}

/** One that cannot do the work is as good as one that is not there. */
async function tried<Peer extends Target>(starting: Promise<Peer>): Promise<Peer> {
  const peer = await starting;
  await post(peer.url, peer.body);
  return peer;
}
