import { createRequire } from 'node:module';
import type { Test } from '@jest/test-result';

const require = createRequire(import.meta.url);
const { default: Sequencer } = require('@jest/test-sequencer') as typeof import('@jest/test-sequencer');

/** What waits for disks and clocks for most of its time: whatever is left would wait for it at the end. */
const LONG = ['sqlite-run-store-contract', 'watched-lists', 'off-loop', 'families', 'golden-histories'];

/** Begins with the files that take long, on a fresh clone too, where Jest knows of none how long it took. */
export default class LongFirst extends Sequencer {
  override sort(tests: Test[]): Test[] {
    const isLong = ({ path }: Test): boolean => LONG.some((name) => path.endsWith(`/${name}.test.ts`));
    const sorted = super.sort(tests) as Test[];
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
