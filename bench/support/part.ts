import type { Findings } from './results.ts';

/** How long and how often; what `--quick` and others change. */
export interface Effort {
  readonly quick: boolean;
  /** Those that count. */
  readonly rounds: number;
  /** Of each contender before its first round: one that was started a moment ago runs slow code for ten thousand runs or two. */
  readonly warmUpOperations: number;
  /** What a slow one is given for them at most. */
  readonly warmUpSeconds: number;
  /** Right before each round of one contender, and not counted. */
  readonly runUpSeconds: number;
  /** Without load between that and the round; what follows the run-up is done meanwhile. */
  readonly quietMs: number;
  /** Of one round of one contender. Whole ones: the load generator knows no parts of them. */
  readonly seconds: number;
  /** Whether what is not ours and costs a download takes part. */
  readonly peers: boolean;
  /** How long the service is kept at half load. */
  readonly idleMinutes: number;
  /** How long a service is kept at 80 % of its own maximum. */
  readonly sustainedMinutes: number;
  /** How long the console watches a busy list: an hour, or what its growth is extrapolated from. */
  readonly consoleMinutes: number;
}

export const FULL: Effort = {
  quick: false,
  rounds: 9,
  warmUpOperations: 15_000,
  warmUpSeconds: 30,
  runUpSeconds: 2,
  quietMs: 3_000,
  seconds: 2,
  peers: true,
  idleMinutes: 10,
  sustainedMinutes: 10,
  consoleMinutes: 10,
};

/** Shows that everything works, in a minute or two; its figures are no more than a hint. */
export const QUICK: Effort = {
  quick: true,
  rounds: 3,
  warmUpOperations: 1_000,
  warmUpSeconds: 1,
  runUpSeconds: 1,
  quietMs: 200,
  seconds: 1,
  peers: false,
  idleMinutes: 0.25,
  sustainedMinutes: 0.25,
  consoleMinutes: 3,
};

/** One of what `npm run bench` measures. */
export interface Part {
  readonly name: string;
  /** One line. */
  readonly title: string;
  /** With the full effort, on a quiet machine. */
  readonly minutes: number;
  measure(effort: Effort): Promise<Findings>;
}

export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
