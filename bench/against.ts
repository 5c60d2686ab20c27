// This build against another one, round by round in turns: `npm run bench:against -- <folder of the other dist>`.
// Prints, for the engine alone in memory and on SQLite, the medians, and the ratio with its spread over all rounds.
// Not measured: HTTP, remote units. The two processes share the machine, but never run at the same time.
import { fork, type ChildProcess } from 'node:child_process';
import { median } from './service.ts';

const ROUNDS = 9;
const WARM_UP = 3;
const RUNS = { memory: 20_000, sqlite: 6_000 } as const;

const [other] = process.argv.slice(2);
if (other === undefined)
  throw new Error('Name the folder of the other build: npm run bench:against -- ../old/dist');

interface Round {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

async function engineOf(build: string, store: string): Promise<ChildProcess> {
  const child = fork(new URL('round.ts', import.meta.url), [build, store], { stdio: 'inherit' });
  await answerOf(child);
  return child;
}

function answerOf(child: ChildProcess): Promise<Round> {
  return new Promise((resolve, reject) => {
    const end = (code: number | null): void => reject(new Error(`The engine ended with ${code}.`));
    child.once('exit', end);
    child.once('message', (answer) => {
      child.off('exit', end);
      resolve(answer as Round);
    });
  });
}

async function measure(child: ChildProcess, runs: number): Promise<Round> {
  child.send(runs);
  return answerOf(child);
}

for (const store of ['memory', 'sqlite'] as const) {
  const [before, now] = [await engineOf(other, store), await engineOf('dist', store)];
  const rounds: { readonly before: Round; readonly now: Round }[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    // Each goes first every second time: the machine's moods fall on both.
    const first = await measure(round % 2 === 0 ? before : now, RUNS[store]);
    const second = await measure(round % 2 === 0 ? now : before, RUNS[store]);
    if (round >= WARM_UP)
      rounds.push(round % 2 === 0 ? { before: first, now: second } : { before: second, now: first });
  }
  for (const child of [before, now]) child.send(0);
  const ratios = rounds.map((round) => round.now.perSecond / round.before.perSecond);
  console.log(
    JSON.stringify({
      store,
      before: summary(rounds.map((round) => round.before)),
      now: summary(rounds.map((round) => round.now)),
      ratio: Number(median(ratios).toFixed(3)),
      spread: [Math.min(...ratios), Math.max(...ratios)].map((ratio) => Number(ratio.toFixed(3))),
    }),
  );
}

function summary(rounds: readonly Round[]) {
  return {
    perSecond: Math.round(median(rounds.map(({ perSecond }) => perSecond))),
    cpuMicrosPerRun: Number(median(rounds.map(({ cpuMicros }) => cpuMicros)).toFixed(1)),
  };
}
