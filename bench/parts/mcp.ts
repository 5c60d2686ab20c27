// Part 5: what a call of a tool costs next to the same run over HTTP, 1,000 at once: plain JSON-RPC, and MCP in its
// revisions. One process serves them all, on the store of the service as it comes. Not measured: gates, progress, streams, the very first request.
import { Bursts } from '../support/burst.ts';
import { holdOnEqualTerms, termsOf, type TimedWork } from '../support/equal-terms.ts';
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
  minutes: 8,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const service = await startFlowgate(scope, 'sqlite');
  const bursts = await scope.use(Promise.resolve(new Bursts(service, AT_ONCE)));
  const contenders: Record<string, TimedWork> = {};
  for (const [way, callOf] of Object.entries(waysToRun(await openSession(service.root))))
    contenders[way] = (seconds) => bursts.during(seconds, callOf, COMPLETED);
  const contest = await holdOnEqualTerms(
    {
      id: 'mcp',
      title: 'Three builtin units, waited for',
      operation: 'call',
      reference: 'HTTP',
      contenders,
    },
    effort,
  );
  return {
    ...NOTHING_FOUND,
    contests: [contest],
    settings: { 'calls at once': AT_ONCE, ...termsOf(effort) },
    durability: { all: 'a run is answered once its log is on disk' },
  };
}
