// Part 12: the engine on PostgreSQL, whose replicas share the work. Three in-process units, each stored by itself, beside the same
// on SQLite; units that take a while, at one replica and at two; and the service over HTTP beside DBOS on a PostgreSQL of its own.
// Not measured: a network to the database, the disk of a machine of its own, replicas that come and go.
import { startDbos } from '../support/dbos.ts';
import { startContender, CALLERS } from '../support/contender.ts';
import type { Sample } from '../support/contest.ts';
import { holdOnEqualTerms, termsOf, type TimedWork } from '../support/equal-terms.ts';
import { load, post } from '../support/load.ts';
import { startFlowgate } from '../support/our-services.ts';
import type { Effort, Part } from '../support/part.ts';
import { peerOrGap } from '../support/peer-or-gap.ts';
import { POSTGRES_DURABILITY, startPostgres, type Postgres } from '../support/postgres.ts';
import { NOTHING_FOUND, type Contest, type Findings, type Gap, type Quantity } from '../support/results.ts';
import { scoped, type Scope } from '../support/scope.ts';
import { figureOf } from '../support/statistics.ts';
import { SLOW_UNIT_MS } from '../support/workflows.ts';
import { SQLITE_DURABILITY } from './engine.ts';

const [ON_SQLITE, ON_POSTGRES] = ['Flowgate, on SQLite', 'Flowgate, on PostgreSQL'];
const DBOS = 'DBOS on PostgreSQL';
const [ONE, TWO] = ['one replica', 'two replicas'];
/** What one replica has in flight at most where units take a while: without a bound one would do what two do. */
const IN_FLIGHT = 40;
/** Where units answer at once there is nothing to bound. */
const UNBOUNDED = 1_000;
/** The start of a run of three units, and what each of them answered. */
const APPENDS_PER_RUN = 4;

export const postgres: Part = {
  name: 'postgres',
  title: 'the engine on PostgreSQL: beside SQLite, and two replicas beside one',
  minutes: 9,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const server = await startPostgres(scope);
  const beside = await besideSqlite(effort, server);
  const replicas = await oneAndTwo(effort, server);
  const gaps: Gap[] = [];
  const overHttp = await besideDbos(effort, server, gaps);
  return {
    ...NOTHING_FOUND,
    contests: [beside, replicas, ...(overHttp === null ? [] : [overHttp])],
    notAvailable: gaps,
    quantities: appendCpu(beside),
    versions: { PostgreSQL: server.version },
    settings: {
      'runs under way at the same time, by replica': CALLERS,
      'units in flight by replica, where they take a while': IN_FLIGHT,
      'ms that such a unit takes': SLOW_UNIT_MS,
      ...termsOf(effort),
    },
    durability: {
      [ON_SQLITE]: SQLITE_DURABILITY,
      [ON_POSTGRES]: POSTGRES_DURABILITY,
      [DBOS]: POSTGRES_DURABILITY,
    },
  };
}

/** What is opened for it is closed before what comes next: replicas that wait beat, too. */
function besideSqlite(effort: Effort, server: Postgres): Promise<Contest> {
  return scoped(async (scope) => {
    const sqlite = await scope.use(startContender('bench/contenders/flowgate.ts', ['sqlite']));
    const shared = await startReplica(scope, server, await server.createDatabase('alone'), UNBOUNDED);
    return holdOnEqualTerms(
      {
        id: 'postgres-engine',
        title: 'Three in-process units, engine alone',
        operation: 'run',
        reference: ON_SQLITE,
        contenders: {
          [ON_SQLITE]: (seconds) => sqlite.measure('run', seconds),
          [ON_POSTGRES]: (seconds) => shared.measure('run', seconds),
        },
      },
      effort,
    );
  });
}

/** Each has a database of its own: who waits for its turn owns nothing of the other's. */
function oneAndTwo(effort: Effort, server: Postgres): Promise<Contest> {
  return scoped(async (scope) => {
    const [single, double] = [await server.createDatabase('one'), await server.createDatabase('two')];
    const one = await startReplica(scope, server, single, IN_FLIGHT);
    const two = [
      await startReplica(scope, server, double, IN_FLIGHT),
      await startReplica(scope, server, double, IN_FLIGHT),
    ];
    const both: TimedWork = async (seconds) =>
      together(await Promise.all(two.map((replica) => replica.measure('slow', seconds))));
    return holdOnEqualTerms(
      {
        id: 'postgres-replicas',
        title: `Four units at once of ${SLOW_UNIT_MS} ms, ${IN_FLIGHT} in flight by replica`,
        operation: 'run',
        reference: ONE,
        contenders: { [ONE]: (seconds) => one.measure('slow', seconds), [TWO]: both },
      },
      effort,
    );
  });
}

/** Null where DBOS cannot be had. */
function besideDbos(effort: Effort, server: Postgres, gaps: Gap[]): Promise<Contest | null> {
  return scoped(async (scope) => {
    const dbos = await peerOrGap(DBOS, effort, gaps, async () => {
      const peer = await startDbos(scope);
      await post(peer.url, peer.body);
      return peer;
    });
    if (dbos === null) return null;
    const settings = { FLOWGATE_DATABASE_URL: await server.createDatabase('http') };
    const ours = await startFlowgate(scope, 'postgres', { settings });
    const flowgate = { ...ours, pids: [ours.pid, server.pid] };
    return holdOnEqualTerms(
      {
        id: 'postgres-http',
        title: 'Three units or steps, durable, over HTTP',
        operation: 'run',
        reference: DBOS,
        contenders: {
          [DBOS]: (seconds) => load(dbos, seconds),
          [ON_POSTGRES]: (seconds) => load(flowgate, seconds),
        },
      },
      effort,
    );
  });
}

function startReplica(scope: Scope, { pid }: Postgres, url: string, inFlight: number) {
  return scope.use(startContender('bench/contenders/postgres.ts', [url, String(pid), String(inFlight)]));
}

/** What several did at the same time. Each has seen all that the server did meanwhile, so that nobody's CPU time adds up. */
function together(samples: readonly Sample[]): Sample {
  const sum = (of: (sample: Sample) => number): number =>
    samples.reduce((total, sample) => total + of(sample), 0);
  return {
    perSecond: sum(({ perSecond }) => perSecond),
    done: sum(({ done }) => done),
    cpuMicros: null,
    generatorMicros: null,
  };
}

function appendCpu({ contenders }: Contest): readonly Quantity[] {
  const cpu = contenders.find(({ name }) => name === ON_POSTGRES)?.cpuMicros ?? null;
  if (cpu === null) return [];
  const value = figureOf(cpu.rounds.map((micros) => micros / APPENDS_PER_RUN));
  return [{ id: 'append-cpu', title: 'CPU of an append, Node and PostgreSQL together', unit: 'µs', value }];
}
