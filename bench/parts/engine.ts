// Part 1: three in-process units, the engine alone; as units of any kind, and as pure ones, whose calls cost no turn of their own. Not
// measured: HTTP, JSON of a request, remote units.
import { CALLERS, startContender, type ContenderProcess } from '../support/contender.ts';
import { holdOnEqualTerms, termsOf, type TimedWork } from '../support/equal-terms.ts';
import type { Effort, Part } from '../support/part.ts';
import { peerOrGap } from '../support/peer-or-gap.ts';
import { installPeers, versionOf } from '../support/peers.ts';
import { NOTHING_FOUND, type Findings, type Gap } from '../support/results.ts';
import { scoped, type Scope } from '../support/scope.ts';

const TRIAL_SECONDS = 0.1;
const OURS = 'Flowgate, in memory';

/** Name → store, build, and what its units are registered as. */
const FLOWGATE = {
  [OURS]: ['memory', 'dist', 'plain'],
  'Flowgate, in memory, pure units': ['memory', 'dist', 'pure'],
  'Flowgate, on SQLite': ['sqlite', 'dist', 'plain'],
  'Flowgate, on SQLite, pure units': ['sqlite', 'dist', 'pure'],
} as const;

/** Name → script, its arguments, and the package that it is of. */
const PEERS = {
  Mastra: ['mastra.ts', [], '@mastra/core'],
  'LangGraph.js': ['langgraph.ts', [], '@langchain/langgraph'],
  'LangGraph.js with its MemorySaver': ['langgraph.ts', ['saver'], '@langchain/langgraph'],
} as const;

export const engine: Part = {
  name: 'engine',
  title: 'the engine alone: three in-process units, in memory and on SQLite, beside Mastra and LangGraph.js',
  minutes: 10,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const gaps: Gap[] = [];
  const versions: Record<string, string> = {};
  const runsOf =
    (process: ContenderProcess): TimedWork =>
    (seconds) =>
      process.measure('run', seconds);
  const start = (script: string, args: readonly string[]) => scope.use(startContender(script, args));

  const contenders: Record<string, TimedWork> = {};
  for (const [name, args] of Object.entries(FLOWGATE))
    contenders[name] = runsOf(await start('bench/contenders/flowgate.ts', args));
  for (const [name, [script, args, peer]] of Object.entries(PEERS)) {
    const ready = await peerOrGap(name, effort, gaps, async () => {
      installPeers();
      versions[peer] = versionOf(peer);
      const child = await start(`bench/peers/${script}`, args);
      // One that cannot do the work is as good as one that is not there.
      await child.measure('run', TRIAL_SECONDS);
      return child;
    });
    if (ready !== null) contenders[name] = runsOf(ready);
  }
  const contest = await holdOnEqualTerms(
    {
      id: 'engine',
      title: 'Three in-process units, engine alone',
      operation: 'run',
      reference: OURS,
      contenders,
    },
    effort,
  );
  return {
    ...NOTHING_FOUND,
    contests: [contest],
    notAvailable: gaps,
    versions,
    settings: { 'runs under way at the same time': CALLERS, ...termsOf(effort) },
    durability: {
      'Flowgate, in memory': 'nothing is durable',
      'Flowgate, on SQLite': SQLITE_DURABILITY,
      'Mastra, LangGraph.js': 'nothing is durable; the MemorySaver keeps every checkpoint in memory',
    },
  };
}

export const SQLITE_DURABILITY =
  'every append is committed with journal_mode = WAL and synchronous = FULL before anything follows from it, ' +
  'many appends to one fsync';
