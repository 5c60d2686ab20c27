import type { Contender, Result } from '../support/results.ts';
import type { Figure } from '../support/statistics.ts';
import { against, at, growthOf, of, quantity } from './measured.ts';

/** What is asked of one figure. */
export interface Goal {
  readonly part: string;
  readonly row: string;
  /** Written after the numbers: `×`, `µs`. */
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** What must hold; null: it is only watched. */
  readonly floor: number | null;
  /** What would be good; null: the same as the floor. */
  readonly aim: number | null;
  /** Null: this result does not have it. */
  measured(result: Result): number | null;
}

const [MEMORY, SQLITE] = ['Flowgate, in memory', 'Flowgate, on SQLite'];
const [PURE_MEMORY, PURE_SQLITE] = [`${MEMORY}, pure units`, `${SQLITE}, pure units`];
const [BARE, MASTRA] = ['bare endpoint', 'Mastra'];

const throughput = ({ throughputRatio }: Contender): Figure | null => throughputRatio;
const cpuRatio = ({ cpuRatio: ratio }: Contender): Figure | null => ratio;
const cpu = ({ cpuMicros }: Contender): Figure | null => cpuMicros;

/** In the order of the page; between the groups is what each part is about. */
export const goals: readonly Goal[] = [
  {
    ...higher('units', 'three HTTP units against hand-written, in memory: throughput', 0.6, 0.66),
    measured: of('units', MEMORY, throughput),
  },
  {
    ...lower('units', 'three HTTP units against hand-written, in memory: CPU', 2, 1.7),
    measured: of('units', MEMORY, cpuRatio),
  },
  {
    ...higher('units', 'three HTTP units against hand-written, on SQLite: throughput', 0.5, 0.58),
    measured: of('units', SQLITE, throughput),
  },
  {
    ...lower('units', 'three HTTP units against hand-written, on SQLite: CPU', 2.8, 2.4),
    measured: of('units', SQLITE, cpuRatio),
  },
  {
    ...lower('units', 'three HTTP units, on SQLite: written to the disk for a run', 17, 9, 'KB'),
    measured: quantity('written-per-run'),
  },
  {
    ...lower('units', 'one outgoing POST against pool.request: CPU', 1.5, 1.2),
    measured: of('post', 'transport of Flowgate', cpuRatio),
  },
  {
    ...lower('engine', 'engine alone, in memory, pure units: CPU of a run', 33, 25, 'µs'),
    measured: of('engine', PURE_MEMORY, cpu),
  },
  {
    ...higher('engine', 'engine alone, in memory, pure units, against Mastra: throughput', 2.5, 3.5),
    measured: against('engine', PURE_MEMORY, MASTRA),
  },
  {
    ...lower('engine', 'engine alone, in memory, other units: CPU of a run', null, null, 'µs'),
    measured: of('engine', MEMORY, cpu),
  },
  {
    ...higher('engine', 'engine alone, in memory, other units, against Mastra: throughput', null, null),
    measured: against('engine', MEMORY, MASTRA),
  },
  ...[
    ['pure', PURE_SQLITE],
    ['other', SQLITE],
  ].map(([kind = '', name = '']) => ({
    ...lower('engine', `engine alone, on SQLite, ${kind} units: CPU of a run`, null, null, 'µs'),
    measured: of('engine', name, cpu),
  })),
  {
    ...higher('http', 'over HTTP, in memory, against a bare endpoint: throughput', 0.6, 0.7),
    measured: of('http', MEMORY, throughput),
  },
  {
    ...higher('http-sqlite', 'over HTTP, on SQLite, against a bare endpoint: throughput', 0.33, 0.42),
    measured: against('http-sqlite', SQLITE, BARE),
  },
  {
    ...higher('http-sqlite', 'over HTTP, on SQLite against in memory: throughput', 0.7, 0.8),
    measured: against('http-sqlite', SQLITE, MEMORY),
  },
  ...['Restate', 'DBOS on PostgreSQL'].map((peer) => ({
    ...higher('http-sqlite', `over HTTP, on SQLite against ${peer}: throughput`, 10, 20),
    measured: against('http-sqlite', SQLITE, peer),
  })),
  ...[
    ['memory', 'in memory'],
    ['sqlite', 'on SQLite'],
  ].flatMap(([store = '', where = '']) => [
    {
      ...higher('quiet', `first 5 s of load after 60 s of quiet, ${where}: throughput`, 0.85, 0.95),
      measured: of(`quiet-${store}`, 'after quiet', throughput),
    },
    {
      ...higher('quiet', `first second of load after 60 s of quiet, ${where}: throughput`, 0.5, 0.7),
      measured: of(`quiet-${store}`, 'after quiet, first second', throughput),
    },
  ]),
  {
    ...lower(
      'sustained',
      'ten minutes at 80 % of its own maximum: p99 / p50 against hand-written',
      1.5,
      null,
    ),
    measured: quantity('tail-ratio'),
  },
  {
    ...lower('sustained', 'ten minutes at 80 % of its own maximum: memory after two minutes', 5, null, '%'),
    measured: quantity('memory-ours'),
  },
  ...['plain JSON-RPC', 'MCP 2026-07-28', 'MCP 2025-11-25, one session', 'MCP 2025-11-25, no session'].map(
    (way) => ({
      ...lower('mcp', `1,000 calls at once, ${way}, against HTTP: CPU`, 2, 1.5),
      measured: of('mcp', way, cpuRatio),
    }),
  ),
  ...['foreach', 'foreach, all in flight', 'parallel', 'dag', 'dag, 16 open at a time'].map((line) => ({
    ...lower('growth', `cost per unit, width 10 to 10,000 (${line}): dearest against narrowest`, 2, 1.2),
    measured: growthOf('width', line),
  })),
  {
    ...lower('growth', 'cost per unit, 10 to 10,000 units of a run: dearest against shortest', 2, 1.4),
    measured: growthOf('units-per-run', 'sequential'),
  },
  {
    ...lower('growth', 'search in 1,000,000 memory entries, selective terms: p99', 50, null, 'ms'),
    measured: at('memory-search', 'selective terms, p99', 1_000_000),
  },
  {
    ...lower('growth', 'search in 1,000,000 memory entries, common terms: p99', 200, null, 'ms'),
    measured: at('memory-search', 'common terms, p99', 1_000_000),
  },
  {
    ...lower('growth', 'GET of an ended run of 20,000 units: CPU of a poll', null, null, 'ms'),
    measured: at('ended-record', 'on SQLite', 20_000),
  },
  { ...lower('idle', 'start of the service', 1_000, null, 'ms'), measured: quantity('start') },
  { ...lower('idle', 'idle memory of the service', 115, null, 'MB'), measured: quantity('idle-memory') },
  {
    ...lower('idle', 'what FlowgateModule adds to the start of an empty Nest application', 120, null, 'ms'),
    measured: quantity('nest-added'),
  },
  { ...lower('idle', 'growth of memory at half load', 10, null, '%'), measured: quantity('memory-growth') },
  {
    ...lower('waiting', 'memory for 100,000 runs that wait a week', 150, null, 'MB'),
    measured: at('waiting', 'resident memory above an empty start', 100_000),
  },
  {
    ...higher('streams', 'runs beside 1,000 event streams, against none: throughput', 0.9, null),
    measured: of('streams', '1,000 streams', throughput),
  },
  {
    ...lower('streams', 'memory for 1,000 event streams, 100 of them never read', 100, null, 'MB'),
    measured: quantity('streams-memory'),
  },
  {
    ...higher('postgres', 'engine alone, on PostgreSQL against on SQLite: throughput', 0.5, 0.7),
    measured: of('postgres-engine', 'Flowgate, on PostgreSQL', throughput),
  },
  {
    ...lower('postgres', 'on PostgreSQL: CPU of an append, Node and PostgreSQL together', 80, 60, 'µs'),
    measured: quantity('append-cpu'),
  },
  {
    ...higher('postgres', 'units of 50 ms, two replicas against one: throughput', 1.9, 2),
    measured: of('postgres-replicas', 'two replicas', throughput),
  },
  {
    ...higher('postgres', 'over HTTP, on PostgreSQL against DBOS: throughput', 5, null),
    measured: of('postgres-http', 'Flowgate, on PostgreSQL', throughput),
  },
  ...(
    [
      ['first-paint', 'console on a bad line: first screen drawn', 1_500],
      ['log-events', 'console: a run of 10,000 events, opened at its log', 2_000],
      ['log-graph', 'console: a run of 10,000 events, opened at its graph', 2_000],
      ['frame-scrolling', 'console: CPU of a frame, 10,000 events scrolled', 33],
      ['frame-panned', 'console: CPU of a frame, 500 units panned', 33],
      ['frame-panned-far', 'console: CPU of a frame, 500 units panned, drawn', 33],
      ['frame-changing', 'console: CPU of a frame, 500 units changing, near', 33],
      ['frame-changing-far', 'console: CPU of a frame, 500 units changing, all in view', 33],
    ] as const
  ).map(([id, row, most]) => ({
    ...lower('console', row, most, null, 'ms'),
    measured: quantity(`console-${id}`),
  })),
  {
    ...lower('console', 'console: an hour on a busy list, more heap', 20, null, 'MB'),
    measured: quantity('console-hour'),
  },
];

/** `-`: nothing is asked, or nothing is known. */
export type Judgement = 'aim' | 'floor' | 'missed' | '-';

export function judge({ floor, aim, better }: Goal, measured: number | null): Judgement {
  if (measured === null || floor === null) return '-';
  const meets = (bound: number): boolean => (better === 'higher' ? measured >= bound : measured <= bound);
  if (meets(aim ?? floor)) return 'aim';
  return meets(floor) ? 'floor' : 'missed';
}

type Asked = Omit<Goal, 'measured'>;

function higher(part: string, row: string, floor: number | null, aim: number | null, unit = '×'): Asked {
  return { part, row, unit, better: 'higher', floor, aim };
}

function lower(part: string, row: string, floor: number | null, aim: number | null, unit = '×'): Asked {
  return { part, row, unit, better: 'lower', floor, aim };
}
