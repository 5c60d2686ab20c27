// `npm run bench:command-line -- [ROUNDS]`: how long somebody waits for the command line: for its help, and for a command that asks a
// local server, with how long Node alone takes to start. Not measured: a cold disk; what the server itself does for a list of one run.
import { execFileSync } from 'node:child_process';
import { startFlowgate } from './support/our-services.ts';
import { scoped } from './support/scope.ts';
import { median } from './support/statistics.ts';

const ROUNDS = Number(process.argv[2] ?? 25);
const COMMAND = 'dist/cli/flowgate.js';

await scoped(async (scope) => {
  const { root } = await startFlowgate(scope, 'memory');
  const measured: readonly (readonly [what: string, mostMs: number | null, args: readonly string[]])[] = [
    ['node alone', null, ['-e', '']],
    ['flowgate --help', 150, [COMMAND, '--help']],
    ['flowgate runs', 250, [COMMAND, 'runs', '--server', root]],
    ['flowgate workflows', 250, [COMMAND, 'workflows', '--server', root]],
  ];
  const times = measured.map((): number[] => []);
  // In turns, so that what else the machine does falls on all of them.
  for (let round = 0; round < ROUNDS; round++)
    measured.forEach(([, , args], index) => {
      const before = performance.now();
      execFileSync(process.execPath, args, { stdio: 'ignore' });
      times[index]?.push(performance.now() - before);
    });
  measured.forEach(([what, mostMs], index) => {
    const all = times[index] ?? [];
    const goal = mostMs === null ? '' : `, at most ${mostMs} ms wanted`;
    console.log(
      `${what.padEnd(20)} ${Math.round(median(all))} ms (${Math.round(Math.min(...all))} to ${Math.round(Math.max(...all))})${goal}`,
    );
  });
});
