// Part 5: what a call of a tool costs next to the same run over HTTP, 1,000 at once: plain JSON-RPC, and MCP in its
// revisions. One process serves them all, on the store of the service as it comes. Not measured: gates, progress, streams, the very first request.
import { Bursts } from '../support/burst.ts';
import { hold, type Measure } from '../support/contest.ts';
import { openSession, waysToRun } from '../support/mcp-calls.ts';
import { startFlowgate } from '../support/our-services.ts';
import type { Effort, Part } from '../support/part.ts';
import { NOTHING_FOUND, type Findings } from '../support/results.ts';
import { scoped, type Scope } from '../support/scope.ts';

const AT_ONCE = 1_000;
const COMPLETED = 'completed';

export const mcp: Part = {
  name: 'mcp',
  title: 'calls of a tool over MCP and plain JSON-RPC, 1,000 at once, beside the same runs over HTTP',
  minutes: 2.5,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const { root, pids } = await startFlowgate(scope, 'sqlite');
  const bursts = await scope.use(Promise.resolve(new Bursts(root, pids, AT_ONCE)));
  const contenders: Record<string, Measure> = {};
  for (const [way, callOf] of Object.entries(waysToRun(await openSession(root))))
    contenders[way] = () => bursts.during(effort.seconds, callOf, COMPLETED);
  const contest = await hold({
    id: 'mcp',
    title: 'Three builtin units, waited for',
    operation: 'call',
    reference: 'HTTP',
    contenders,
    rounds: effort.rounds,
    warmUp: effort.warmUp,
  });
  return {
    ...NOTHING_FOUND,
    contests: [contest],
    settings: { 'calls at once': AT_ONCE, 'seconds of a round, at least': effort.seconds },
    durability: { all: 'a run is answered once its log is on disk' },
  };
}
