import type { Effort, Part } from './part.ts';
import { RESULTS } from './results.ts';

/** Where a quick run leaves its results, so that it never overwrites what is committed. */
const QUICK_RESULTS = '.tmp/bench';

export type Arguments =
  | { readonly help: true; readonly text: string }
  | {
      readonly help: false;
      readonly parts: readonly Part[];
      readonly quick: boolean;
      readonly changes: Partial<Effort>;
      readonly folder: string;
    };

/** Of `npm run bench -- …`. What cannot be understood is answered with the help. */
export function parseArguments(args: readonly string[], parts: readonly Part[]): Arguments {
  const chosen: Part[] = [];
  const changes: { -readonly [Name in keyof Effort]?: Effort[Name] } = {};
  let quick = false;
  let folder: string | null = null;
  for (const argument of args) {
    const [flag = '', value = ''] = argument.split('=');
    const part = parts.find(({ name }) => name === argument);
    if (part !== undefined) chosen.push(part);
    else if (flag === '--quick') quick = true;
    else if (flag === '--no-peers') changes.peers = false;
    else if (flag === '--idle-minutes' && Number(value) > 0) changes.idleMinutes = Number(value);
    else if (flag === '--sustained-minutes' && Number(value) > 0) changes.sustainedMinutes = Number(value);
    else if (flag === '--console-minutes' && Number(value) > 0) changes.consoleMinutes = Number(value);
    else if (flag === '--rounds' && Number(value) > 0) changes.rounds = Number(value);
    else if (flag === '--results' && value !== '') folder = value;
    else return { help: true, text: help(parts) };
  }
  return {
    help: false,
    parts: chosen.length === 0 ? parts : chosen,
    quick,
    changes,
    folder: folder ?? (quick ? QUICK_RESULTS : RESULTS),
  };
}

function help(parts: readonly Part[]): string {
  const minutes = parts.reduce((sum, part) => sum + part.minutes, 0);
  return [
    'npm run bench                 all parts',
    'npm run bench -- units http   some of them',
    '',
    ...parts.map(
      ({ name, title, minutes: each }) => `  ${name.padEnd(12)} ${`${each}`.padStart(4)} min  ${title}`,
    ),
    `  together     about ${Math.ceil(minutes)} minutes on a quiet machine of two cores`,
    '',
    '  --quick                 short rounds, to see that it works; its results go to .tmp/bench',
    '  --idle-minutes=N        how long the service is kept at half load (10)',
    '  --sustained-minutes=N   how long a service is kept at 80 % of its own maximum (10)',
    '  --console-minutes=N     how long the console watches a busy list (10; 60 for the whole hour)',
    '  --rounds=N              rounds that count (9)',
    '  --no-peers              without what has to be installed first (bench/peers, PostgreSQL)',
    '  --results=FOLDER        where the results go (bench/results)',
    '',
    'npm run bench:charts          the charts and tables of docs/benchmarks.md, from bench/results',
    'npm run bench:smoke           the most important ratios beside the committed ones, in under two minutes',
    'npm run bench:against -- DIST this build against another one, the engine alone',
  ].join('\n');
}
