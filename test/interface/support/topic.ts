import type { Caller } from './caller.ts';

/** One sentence of the interface; it rejects where the service does otherwise. */
export type Check = (service: Caller) => Promise<void>;

/** What the interface says of one thing: a check by each sentence. */
export interface Topic {
  readonly name: string;
  readonly checks: Readonly<Record<string, Check>>;
}

export function topic(name: string, checks: Topic['checks']): Topic {
  return { name, checks };
}

/** The same check for each of the cases, whose names complete the sentence. */
export function each<T>(
  sentence: (name: string) => string,
  cases: Readonly<Record<string, T>>,
  check: (service: Caller, given: T) => Promise<void>,
): Topic['checks'] {
  return Object.fromEntries(
    Object.entries(cases).map(([name, given]) => [
      sentence(name),
      (service: Caller) => check(service, given),
    ]),
  );
}
