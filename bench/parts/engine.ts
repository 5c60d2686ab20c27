// Part 1: three in-process units, the engine alone. Not measured: HTTP, JSON of a request, remote units.
import { hold, type Measure } from '../support/contest.ts';
import { CALLERS, startContender, type ContenderProcess } from '../support/contender.ts';
import type { Effort, Part } from '../support/part.ts';
import { peerOrGap } from '../support/peer-or-gap.ts';
import { installPeers, versionOf } from '../support/peers.ts';
import { NOTHING_FOUND, type Findings, type Gap } from '../support/results.ts';
import { scoped, type Scope } from '../support/scope.ts';

const TRIAL_SECONDS = 0.1;
const OURS = 'Flowgate, in memory';

/** Name → script, its arguments, and the package that it is of. */
const PEERS = {
  Mastra: ['mastra.ts', [], '@mastra/core'],
  'LangGraph.js': ['langgraph.ts', [], '@langchain/langgraph'],
  'LangGraph.js with its MemorySaver': ['langgraph.ts', ['saver'], '@langchain/langgraph'],
} as const;

export const engine: Part = {
  name: 'engine',
  title: 'the engine alone: three in-process units, in memory and on SQLite, beside Mastra and LangGraph.js',
  minutes: 2,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const gaps: Gap[] = [];
  const versions: Record<string, string> = {};
  const runsOf =
    (process: ContenderProcess): Measure =>
    () =>
      process.measure('run', effort.seconds);
  const start = (script: string, args: readonly string[]) => scope.use(startContender(script, args));

  const contenders: Record<string, Measure> = {
    [OURS]: runsOf(await start('bench/contenders/flowgate.ts', ['memory'])),
    'Flowgate, on SQLite': runsOf(await start('bench/contenders/flowgate.ts', ['sqlite'])),
  };
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
  const contest = await hold({
    id: 'engine',
    title: 'Three in-process units, engine alone',
    operation: 'run',
    reference: OURS,
    contenders,
    rounds: effort.rounds,
    warmUp: effort.warmUp,
  });
  return {
    ...NOTHING_FOUND,
    contests: [contest],
    notAvailable: gaps,
    versions,
    settings: { 'runs under way at the same time': CALLERS, 'seconds of a round': effort.seconds },
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
