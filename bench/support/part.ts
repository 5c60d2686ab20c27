import type { Findings } from './results.ts';

/** How long and how often; what `--quick` and others change. */
export interface Effort {
  readonly quick: boolean;
  /** Those that count. */
  readonly rounds: number;
  /** Those before: a service that was started a moment ago runs slow code for its first ten thousand runs or two. */
  readonly warmUp: number;
  /** Of one round of one contender. */
  readonly seconds: number;
  /** Whether what is not ours and costs a download takes part. */
  readonly peers: boolean;
  /** How long the service is kept at half load. */
  readonly idleMinutes: number;
}

export const FULL: Effort = { quick: false, rounds: 7, warmUp: 6, seconds: 2, peers: true, idleMinutes: 10 };

/** Shows that everything works, in a minute or two; its figures are no more than a hint. */
export const QUICK: Effort = {
  quick: true,
  rounds: 3,
  warmUp: 1,
  seconds: 1,
  peers: false,
  idleMinutes: 0.25,
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
