import { SharedReads } from './shared-reads.js';

/** Reads that are done when the test says so. */
function held() {
  const open: ((text: string) => void)[] = [];
  const reads: SharedReads = new SharedReads((work) => work());
  const read = () => new Promise<string>((resolve) => open.push(resolve));
  return { reads, read, open };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('reads that are shared', () => {
  it('are done once for all who ask before one begins, each of whom is told that it does', async () => {
    const { reads, read, open } = held();
    const begun: string[] = [];
    const answers = ['ann', 'bob'].map((name) => reads.read('list', read, () => begun.push(name)));
    expect(begun).toEqual([]);
    await settled();
    expect(begun).toEqual(['ann', 'bob']);
    expect(open).toHaveLength(1);
    open[0]?.('page');
    expect(await Promise.all(answers)).toEqual(['page', 'page']);
  });

  it('never answer with what was read before it was asked for, and are done one after the other', async () => {
    const { reads, read, open } = held();
    const early = reads.read('list', read, () => {});
    await settled();
    const late = ['ann', 'bob'].map(() => reads.read('list', read, () => {}));
    await settled();
    expect(open).toHaveLength(1);
    open[0]?.('old');
    await settled();
    expect(open).toHaveLength(2);
    open[1]?.('new');
    expect(await Promise.all([early, ...late])).toEqual(['old', 'new', 'new']);
  });

  it('are not shared by those who ask something else', async () => {
    const { reads, read, open } = held();
    const answers = ['runs', 'gates'].map((key) => reads.read(key, read, () => {}));
    await settled();
    open.forEach((answer, index) => answer(String(index)));
    expect(await Promise.all(answers)).toEqual(['0', '1']);
  });

  it('rest between two of the same, and those who ask meanwhile are answered together', async () => {
    const { read, open } = held();
    const rests: (() => void)[] = [];
    const reads = new SharedReads(
      (work) => work(),
      () => new Promise((resolve) => rests.push(resolve)),
    );
    const first = reads.read('list', read, () => {});
    await settled();
    open[0]?.('first');
    expect(await first).toBe('first');
    const meanwhile = [reads.read('list', read, () => {})];
    await settled();
    meanwhile.push(reads.read('list', read, () => {}));
    expect(open).toHaveLength(1);
    rests[0]?.();
    await settled();
    expect(open).toHaveLength(2);
    open[1]?.('second');
    expect(await Promise.all(meanwhile)).toEqual(['second', 'second']);
  });

  it('fail for those who asked, and are tried again by the next', async () => {
    const reads = new SharedReads((work) => work());
    const failing = ['ann', 'bob'].map(() =>
      reads.read(
        'list',
        () => Promise.reject(new Error('gone')),
        () => {},
      ),
    );
    for (const answer of failing) await expect(answer).rejects.toThrow('gone');
    await expect(
      reads.read(
        'list',
        () => Promise.resolve('there'),
        () => {},
      ),
    ).resolves.toBe('there');
  });
});
