// What a quiet minute costs: the first seconds of load after it, against load that follows load. Code that nobody uses is
// thrown away meanwhile, and the caches of the processor belong to others. Runs of three builtin units over HTTP. Not measured:
// longer quiet; a machine on which others work meanwhile.
import { setTimeout as delay } from 'node:timers/promises';
import { CALLERS } from '../support/load.ts';
import type { Effort, Part } from '../support/part.ts';
import { RestedService } from '../support/rested-service.ts';
import { NOTHING_FOUND, type Findings } from '../support/results.ts';
import { scoped, type Scope } from '../support/scope.ts';
import { SQLITE_DURABILITY } from './engine.ts';

const LOAD_SECONDS = 5;
/** Each takes a minute and a half. */
const MOST_ROUNDS = 5;

export const quiet: Part = {
  name: 'quiet',
  title: 'the first seconds of load after a quiet minute, against load that follows load',
  minutes: 8,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const quietSeconds = effort.quick ? 3 : 60;
  const services = [
    await RestedService.start(scope, 'memory', effort),
    await RestedService.start(scope, 'sqlite', effort),
  ];
  for (let round = 0; round < Math.min(effort.rounds, MOST_ROUNDS); round++) {
    // In the same order after load and after quiet, so that all are quiet for equally long.
    const order = round % 2 === 0 ? services : services.toReversed();
    for (const service of order) await service.loadAfterLoad(effort.runUpSeconds, LOAD_SECONDS);
    await delay(quietSeconds * 1_000);
    for (const service of order) await service.loadAfterQuiet(LOAD_SECONDS);
  }
  return {
    ...NOTHING_FOUND,
    contests: services.map((service) => service.contest()),
    settings: {
      connections: CALLERS,
      'runs of the warm-up, at least': Math.min(...services.map(({ warmUpOperations }) => warmUpOperations)),
      'seconds of quiet, at least': quietSeconds,
      'seconds of load': LOAD_SECONDS,
      'seconds of load before load that follows load': effort.runUpSeconds,
    },
    durability: { 'in memory': 'nothing is durable', 'on SQLite': SQLITE_DURABILITY },
  };
}
