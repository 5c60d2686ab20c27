import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './statistics.ts';

export const RESULTS = 'bench/results';

/** One that takes part in a contest, over all rounds. What nobody measured is null. */
export interface Contender {
  readonly name: string;
  readonly perSecond: Figure;
  /** µs per operation, of the serving processes, all threads. */
  readonly cpuMicros: Figure | null;
  /** µs per operation, of the load generator. Absent: of before it was measured. */
  readonly generatorMicros?: Figure | null;
  /** Operations before the first round that counts. Absent: nobody counted them. */
  readonly warmUpOperations?: number;
  /** Against the contest's reference, round by round: throughput, and CPU. */
  readonly throughputRatio: Figure | null;
  readonly cpuRatio: Figure | null;
}

/** The same work, done by several in interleaved rounds. */
export interface Contest {
  readonly id: string;
  readonly title: string;
  /** What one operation is: `run`, `call`. */
  readonly operation: string;
  readonly reference: string;
  readonly contenders: readonly Contender[];
}

/** One quantity as it grows with a size. */
export interface Series {
  readonly id: string;
  readonly title: string;
  /** What grows: `units`, `stored runs`. */
  readonly sizeName: string;
  /** Of the values: `µs CPU per unit`, `ms p99`. */
  readonly unit: string;
  /** How its chart counts: by powers of ten, so that what is flat and what grows can be distinguished, or evenly from 0. */
  readonly axes: 'powers' | 'even';
  readonly lines: readonly {
    readonly name: string;
    readonly points: readonly { readonly size: number; readonly value: Figure }[];
  }[];
}

export interface Quantity {
  readonly id: string;
  readonly title: string;
  readonly unit: string;
  readonly value: Figure;
}

/** What could not be measured, and why. */
export interface Gap {
  readonly name: string;
  readonly reason: string;
}

/** What a part finds out. */
export interface Findings {
  readonly contests: readonly Contest[];
  readonly series: readonly Series[];
  readonly quantities: readonly Quantity[];
  readonly notAvailable: readonly Gap[];
  /** Who → what is durable when it answers. */
  readonly durability: Readonly<Record<string, string>>;
  /** Of the peers that took part. */
  readonly versions: Readonly<Record<string, string>>;
  /** How it was measured: callers, seconds, sizes. */
  readonly settings: Readonly<Record<string, string | number>>;
}

export interface Result extends Findings {
  readonly part: string;
  /** Rounds too few and too short to be quoted. */
  readonly quick: boolean;
  /** ISO 8601. */
  readonly measuredAt: string;
  readonly commit: string;
  readonly machine: {
    readonly cpu: string;
    readonly cores: number;
    readonly memoryGiB: number;
    readonly system: string;
    readonly node: string;
  };
}

export const NOTHING_FOUND: Findings = {
  contests: [],
  series: [],
  quantities: [],
  notAvailable: [],
  durability: {},
  versions: {},
  settings: {},
};

export function resultOf(part: string, quick: boolean, findings: Findings): Result {
  return {
    part,
    quick,
    measuredAt: new Date().toISOString(),
    commit: commit(),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: availableParallelism(),
      memoryGiB: Math.round(totalmem() / 1024 ** 3),
      system: `${type()} ${release()}`,
      node: process.version,
    },
    ...findings,
  };
}

export function writeResult(result: Result, folder = RESULTS): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${result.part}.json`), `${JSON.stringify(result, null, 1)}\n`);
}

/** All that are there, by part. */
export function readResults(folder = RESULTS): ReadonlyMap<string, Result> {
  const results = new Map<string, Result>();
  for (const file of readdirSync(folder, { withFileTypes: true })) {
    if (!file.isFile() || !file.name.endsWith('.json')) continue;
    const result = JSON.parse(readFileSync(join(folder, file.name), 'utf8')) as Result;
    results.set(result.part, result);
  }
  return results;
}

function commit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', 'src', 'bench') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}
