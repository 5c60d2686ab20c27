import type { AuditRow } from '../../../ports/audit/audit-act.js';
import { listed, NOON, sampleAct, targetsOf } from './support/sample-act.js';
import type { AuditStoreHarness } from './support/contract.js';

const RUN = '01980000-0000-7000-8000-000000000001';

export default function listContract(harness: AuditStoreHarness): void {
  it('is newest first by when it happened, then by when it was recorded', async () => {
    await harness.audit.record({
      acts: [
        sampleAct({ target: 'second', at: NOON + 1 }),
        sampleAct({ target: 'first' }),
        sampleAct({ target: 'third', at: NOON + 1 }),
      ],
    });
    expect(targetsOf(await listed(harness.audit))).toEqual(['third', 'second', 'first']);
  });

  it('goes on where the page before ended, over namespaces', async () => {
    const acts = Array.from({ length: 10 }, (_, count) =>
      sampleAct({
        target: String(count),
        namespace: count % 3 === 0 ? null : 'acme',
        at: NOON + Math.floor(count / 4),
      }),
    );
    await harness.audit.record({ acts });
    const found: (string | null)[] = [];
    let cursor: AuditRow | null = null;
    for (;;) {
      const page: readonly AuditRow[] = await listed(harness.audit, {
        namespaces: ['acme', null],
        cursor,
        limit: 3,
      });
      found.push(...targetsOf(page));
      if (page.length < 3) break;
      cursor = page.at(-1)!;
    }
    expect(found).toEqual(['9', '8', '7', '6', '5', '4', '3', '2', '1', '0']);
  });

  it('is of the namespaces that are named, and of no other', async () => {
    await harness.audit.record({
      acts: [
        sampleAct({ target: 'ours' }),
        sampleAct({ target: 'theirs', namespace: 'other' }),
        sampleAct({ target: 'none', namespace: null }),
      ],
    });
    expect(targetsOf(await listed(harness.audit))).toEqual(['ours']);
    expect(targetsOf(await listed(harness.audit, { namespaces: [null] }))).toEqual(['none']);
    expect(await listed(harness.audit, { namespaces: [] })).toEqual([]);
  });

  it('finds acts by who did them, what that was, their run, and when', async () => {
    const bob = { id: 'key-8', owner: 'bob', via: 'http', auth: 'key' } as const;
    await harness.audit.record({
      acts: [
        sampleAct({ target: 'ann starts', runId: RUN, seq: 1 }),
        sampleAct({
          target: 'bob decides',
          action: 'gate.decide',
          by: bob,
          runId: RUN,
          seq: 5,
          at: NOON + 1,
        }),
        sampleAct({ target: 'bob starts', by: bob, at: NOON + 2 }),
        // A name that a request gave is nobody's account.
        sampleAct({ target: 'claimed', by: { ...bob, owner: null, id: 'bob', auth: 'none' }, at: NOON + 3 }),
      ],
    });
    const found = async (filter: Parameters<typeof listed>[1]) =>
      targetsOf(await listed(harness.audit, filter));
    expect(await found({ owner: 'bob' })).toEqual(['bob starts', 'bob decides']);
    expect(await found({ owner: 'nobody' })).toEqual([]);
    expect(await found({ action: 'gate.decide' })).toEqual(['bob decides']);
    expect(await found({ action: 'run.start', owner: 'bob' })).toEqual(['bob starts']);
    expect(await found({ runId: RUN })).toEqual(['bob decides', 'ann starts']);
    expect(await found({ after: NOON + 1, before: NOON + 3 })).toEqual(['bob starts', 'bob decides']);
    expect(await found({ action: 'key.make' })).toEqual([]);
  });
}
