import type { Contender, Result, Series } from '../support/results.ts';
import type { Figure } from '../support/statistics.ts';

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

const throughput = ({ throughputRatio }: Contender): Figure | null => throughputRatio;
const cpuRatio = ({ cpuRatio: ratio }: Contender): Figure | null => ratio;
const cpu = ({ cpuMicros }: Contender): Figure | null => cpuMicros;

/** In the order of the page; between the groups is what each part is about. */
export const goals: readonly Goal[] = [
  {
    ...higher('units', 'three HTTP units against hand-written, in memory: throughput', 0.55, 0.7),
    measured: of('units', MEMORY, throughput),
  },
  {
    ...lower('units', 'three HTTP units against hand-written, in memory: CPU', 2, 1.5),
    measured: of('units', MEMORY, cpuRatio),
  },
  {
    ...higher('units', 'three HTTP units against hand-written, on SQLite: throughput', 0.45, 0.6),
    measured: of('units', SQLITE, throughput),
  },
  {
    ...lower('units', 'one outgoing POST against pool.request: CPU', 1.5, 1.2),
    measured: of('post', 'transport of Flowgate', cpuRatio),
  },
  {
    ...lower('engine', 'engine alone, in memory: CPU of a run', 25, 15, 'µs'),
    measured: of('engine', MEMORY, cpu),
  },
  {
    ...higher('engine', 'engine alone, in memory, against Mastra: throughput', 3, 5),
    measured: inverse(of('engine', 'Mastra', throughput)),
  },
  {
    ...lower('engine', 'engine alone, on SQLite: CPU of a run', null, null, 'µs'),
    measured: of('engine', SQLITE, cpu),
  },
  {
    ...higher('http', 'over HTTP, in memory, against a bare endpoint: throughput', 0.65, 0.85),
    measured: of('http', MEMORY, throughput),
  },
  {
    ...higher('http-sqlite', 'over HTTP, on SQLite against in memory: throughput', 0.7, 0.8),
    measured: inverse(of('http-sqlite', MEMORY, throughput)),
  },
  {
    ...higher('http-sqlite', 'over HTTP, on SQLite against Restate: throughput', 10, 20),
    measured: inverse(of('http-sqlite', 'Restate', throughput)),
  },
  {
    ...higher('http-sqlite', 'over HTTP, on SQLite against DBOS on PostgreSQL: throughput', 10, 20),
    measured: inverse(of('http-sqlite', 'DBOS on PostgreSQL', throughput)),
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
    ...lower('growth', 'cost per unit, 10 to 10,000 units of a run: dearest against shortest', 2, 1.2),
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
  { ...lower('idle', 'idle memory of the service', 120, null, 'MB'), measured: quantity('idle-memory') },
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

function of(
  contest: string,
  name: string,
  figureIn: (contender: Contender) => Figure | null,
): Goal['measured'] {
  return ({ contests }) => {
    const contender = contests.find(({ id }) => id === contest)?.contenders.find((one) => one.name === name);
    return contender === undefined ? null : (figureIn(contender)?.median ?? null);
  };
}

/** Of a ratio to us, what we are to the other. */
function inverse(ratio: Goal['measured']): Goal['measured'] {
  return (result) => {
    const value = ratio(result);
    return value === null || value === 0 ? null : 1 / value;
  };
}

function valuesOf({ series }: Result, id: string, line: string): Series['lines'][number]['points'] {
  return series.find((one) => one.id === id)?.lines.find(({ name }) => name === line)?.points ?? [];
}

/** The dearest size against the smallest. */
function growthOf(id: string, line: string): Goal['measured'] {
  return (result) => {
    const points = valuesOf(result, id, line).map(({ value }) => value.median);
    const [smallest] = points;
    return smallest === undefined || points.length < 2 ? null : Math.max(...points) / smallest;
  };
}

function at(id: string, line: string, wanted: number): Goal['measured'] {
  return (result) => valuesOf(result, id, line).find(({ size }) => size === wanted)?.value.median ?? null;
}

function quantity(wanted: string): Goal['measured'] {
  return ({ quantities }) => quantities.find(({ id }) => id === wanted)?.value.median ?? null;
}
