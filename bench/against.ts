// This build against another one, in interleaved rounds:
//
//   npm run bench:against -- <folder of the other dist> [work…]      about three minutes a work; absent: all of them
//
// Prints the medians, and the ratio with its spread over all rounds. The two processes share the machine, but never work at
// the same time. Two processes of the same program differ by a few per cent for as long as they live: so both are started
// anew every two rounds. Not measured: a network, slow units, forks, imports.
import { compareBuilds } from './support/compared-builds.ts';
import { workOf, WORKS } from './support/works.ts';

const [other, ...asked] = process.argv.slice(2);
if (other === undefined)
  throw new Error('Name the folder of the other build: npm run bench:against -- ../old/dist');

for (const name of asked.length === 0 ? Object.keys(WORKS) : asked) {
  const contest = await compareBuilds(name, workOf(name), { before: other, now: 'dist' });
  for (const { name: build, perSecond, cpuMicros, throughputRatio, cpuRatio } of contest.contenders)
    console.log(
      JSON.stringify({
        work: name,
        build,
        perSecond: perSecond.median,
        cpuMicros: cpuMicros?.median,
        ratio: throughputRatio?.median,
        spread: throughputRatio?.spread,
        cpuRatio: cpuRatio?.median,
        cpuSpread: cpuRatio?.spread,
      }),
    );
}
