import { listed, NOON, sampleAct, targetsOf } from './support/sample-act.js';
import type { AuditStoreHarness } from './support/contract.js';

export default function removeBeforeContract(harness: AuditStoreHarness): void {
  it('removes what is older, a bounded number at once, and says how many', async () => {
    const { audit } = harness;
    const acts = Array.from({ length: 5 }, (_, count) =>
      sampleAct({ target: String(count), at: NOON + count }),
    );
    await audit.record({ acts });
    expect(await audit.removeBefore({ before: NOON + 3, limit: 2 })).toBe(2);
    expect(await audit.removeBefore({ before: NOON + 3, limit: 2 })).toBe(1);
    expect(await audit.removeBefore({ before: NOON + 3, limit: 2 })).toBe(0);
    expect(targetsOf(await listed(audit))).toEqual(['4', '3']);
  });

  it('passes over what a clock that was ahead recorded first, in every namespace', async () => {
    const { audit } = harness;
    const ahead = [null, 'acme', 'other'].flatMap((namespace) =>
      [1, 2].map(() => sampleAct({ namespace, target: 'ahead', at: NOON + 1_000 })),
    );
    const old = [null, 'acme', 'other'].map((namespace) => sampleAct({ namespace, target: 'old' }));
    await audit.record({ acts: [...ahead, ...old] });
    expect(await audit.removeBefore({ before: NOON + 1, limit: 2 })).toBe(2);
    expect(await audit.removeBefore({ before: NOON + 1, limit: 2 })).toBe(1);
    const left = await listed(audit, { namespaces: [null, 'acme', 'other'] });
    expect(targetsOf(left)).toEqual(ahead.map(() => 'ahead'));
  });

  it('forgets people of whom nothing is told any more, and no others', async () => {
    const { audit } = harness;
    await audit.record({
      acts: [
        sampleAct({ action: 'key.make', subject: 'bob', target: 'old' }),
        sampleAct({ target: 'new', at: NOON + 1 }),
      ],
    });
    await audit.removeBefore({ before: NOON + 1, limit: 10 });
    expect(targetsOf(await listed(audit, { owner: 'ann' }))).toEqual(['new']);
    await audit.removeBefore({ before: NOON + 2, limit: 10 });
    expect(await listed(audit, { owner: 'ann' })).toEqual([]);
    await audit.record({ acts: [sampleAct({ target: 'again', subject: 'bob' })] });
    expect(targetsOf(await listed(audit, { owner: 'ann' }))).toEqual(['again']);
  });
}
