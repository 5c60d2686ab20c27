import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { EndedRuns } from '../../src/engine/in-memory/ended-runs.js';
import { InMemoryMemoryIndex } from '../../src/engine/in-memory/in-memory-memory-index.js';
import { StoredRun } from '../../src/engine/in-memory/stored-run.js';
import { sampleEntry } from '../../src/engine/testing/contract/memory-index/support/contract.js';
import {
  endedRow,
  sampleAppend,
  sampleRunId,
} from '../../src/engine/testing/contract/run-store/support/sample-run.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** More than a map has room for at first: it moves to a larger table, and what was taken from the first one must not stay. */
const OTHERS = 200;

async function isLeft(ref: WeakRef<object>): Promise<boolean> {
  // Within one turn of the event loop a weak reference that was made or read is strong.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  return ref.deref() !== undefined;
}

describe('below its bound', () => {
  it('the memory in the process keeps nothing of an entry that was removed', async () => {
    const memory = new InMemoryMemoryIndex();
    const ref = await (async () => {
      const entry = sampleEntry('first', 'text', 'first');
      await memory.put({ entries: [entry] });
      return new WeakRef(entry);
    })();
    for (let n = 0; n < OTHERS; n++) {
      await memory.put({ entries: [sampleEntry(`other ${n}`, 'text', 'other')] });
    }
    expect(await isLeft(ref)).toBe(true);
    await memory.removeRuns({ runIds: ['first'] });
    expect(await isLeft(ref)).toBe(false);
  });

  it('the store in memory keeps nothing of an ended run that was deleted', async () => {
    const ended = new EndedRuns({ maxRuns: 10_000, slowestCursor: () => null, forget: () => undefined });
    const run = (n: number) =>
      new StoredRun(sampleAppend(sampleRunId(n), { row: endedRow(sampleRunId(n), n) }));
    const first = { run: run(0) as StoredRun | null };
    const ref = new WeakRef<object>(first.run!);
    ended.add(first.run!);
    for (let n = 1; n <= OTHERS; n++) ended.add(run(n));
    expect(await isLeft(ref)).toBe(true);
    ended.delete(first.run!);
    first.run = null;
    expect(await isLeft(ref)).toBe(false);
  });
});
