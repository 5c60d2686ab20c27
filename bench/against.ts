// This build against another one, round by round in turns: `npm run bench:against -- <folder of the other dist>`.
// Prints, for the engine alone in memory and on SQLite, the medians, and the ratio with its spread over all rounds.
// Not measured: HTTP, remote units. The two processes share the machine, but never run at the same time.
import { hold } from './support/contest.ts';
import { startContender } from './support/contender.ts';
import { scoped } from './support/scope.ts';

const ROUNDS = 9;
const WARM_UP = 3;
const SECONDS = 1.5;

const [other] = process.argv.slice(2);
if (other === undefined)
  throw new Error('Name the folder of the other build: npm run bench:against -- ../old/dist');

for (const store of ['memory', 'sqlite'] as const) {
  await scoped(async (scope) => {
    const engineOf = (build: string) =>
      scope.use(startContender('bench/contenders/flowgate.ts', [store, build]));
    const [before, now] = [await engineOf(other), await engineOf('dist')];
    const { contenders } = await hold({
      id: store,
      title: store,
      operation: 'run',
      reference: 'before',
      contenders: {
        before: () => before.measure('run', SECONDS),
        now: () => now.measure('run', SECONDS),
      },
      rounds: ROUNDS,
      warmUp: WARM_UP,
    });
    const summary = contenders.map(({ name, perSecond, cpuMicros, throughputRatio, cpuRatio }) => ({
      name,
      perSecond: perSecond.median,
      cpuMicrosPerRun: cpuMicros?.median,
      ratio: throughputRatio?.median,
      spread: throughputRatio?.spread,
      cpuRatio: cpuRatio?.median,
      cpuSpread: cpuRatio?.spread,
    }));
    for (const one of summary) console.log(JSON.stringify({ store, ...one }));
  });
}
