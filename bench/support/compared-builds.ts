import { compareAnew } from './compared-anew.ts';
import type { Contest } from './results.ts';
import type { Work } from './works.ts';

type Builds = Readonly<Record<'before' | 'now', string>>;

/** Has two builds do the same work. */
export function compareBuilds(id: string, work: Work, { before, now }: Builds): Promise<Contest> {
  return compareAnew({
    id,
    title: id,
    operation: id,
    reference: 'before',
    contenders: { before: (scope) => work(scope, before), now: (scope) => work(scope, now) },
  });
}
