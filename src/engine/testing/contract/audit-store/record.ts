import { listed, NOON, sampleAct, targetsOf } from './support/sample-act.js';
import type { AuditStoreHarness } from './support/contract.js';

/** Promises 2, 4 and 6. */
export default function recordContract(harness: AuditStoreHarness): void {
  it('keeps all that it is told of an act, for whoever asks', async () => {
    const acts = [
      sampleAct({
        workflowId: 'invoices',
        runId: '01980000-0000-7000-8000-000000000001',
        seq: 1,
        target: 'hash',
        facts: { gate: 'approve', gateId: 3, approved: true, settings: ['A', 'B'] },
      }),
      sampleAct({ at: NOON + 1, action: 'key.make', by: null, subject: 'bob', target: 'k' }),
      sampleAct({ at: NOON + 2, by: { id: 'Carol', owner: null, via: 'in-process', auth: 'none' } }),
    ];
    await harness.audit.record({ acts });
    const rows = await listed(harness.elsewhere);
    expect(rows.map(({ id: _id, ...act }) => act)).toEqual(acts.toReversed());
  });

  it('keeps texts of every kind', async () => {
    const odd = 'Zoë \u{1f511}, backslash \\, "quotes", {braces} and NULL';
    await harness.audit.record({
      acts: [sampleAct({ workflowId: odd, target: odd, subject: odd, facts: { odd } })],
    });
    expect(await listed(harness.audit)).toEqual([
      expect.objectContaining({ workflowId: odd, target: odd, subject: odd, facts: { odd } }),
    ]);
  });

  it('tells of an event of a run once, however often it is told and by whom', async () => {
    const act = sampleAct({ runId: '01980000-0000-7000-8000-000000000001', seq: 7 });
    await harness.audit.record({ acts: [act, act, { ...act, seq: 8 }] });
    await Promise.all([
      harness.audit.record({ acts: [act] }),
      harness.elsewhere.record({
        acts: [
          { ...act, seq: 8 },
          { ...act, seq: 9 },
        ],
      }),
    ]);
    expect((await harness.audit.readAfter({ afterId: 0, limit: 100 })).map(({ seq }) => seq)).toEqual([
      7, 8, 9,
    ]);
  });

  it('tells as often as it is told of what no event says, also of a run', async () => {
    const act = sampleAct({ action: 'run.export', runId: '01980000-0000-7000-8000-000000000001' });
    await harness.audit.record({ acts: [act, act] });
    expect(await listed(harness.audit)).toHaveLength(2);
  });

  it('tells of a content only where the last one that was told of was another', async () => {
    const told = async (target: string, at: number): Promise<void> =>
      harness.elsewhere.record({
        acts: [sampleAct({ action: 'access-file.change', namespace: null, by: null, target, at })],
        unlessLast: true,
      });
    await told('a', NOON);
    await told('a', NOON + 1);
    await Promise.all([told('b', NOON + 2), told('b', NOON + 2)]);
    await told('a', NOON + 3);
    expect(targetsOf(await listed(harness.audit, { namespaces: [null] }))).toEqual(['a', 'b', 'a']);
  });

  it('does nothing for no acts', async () => {
    await harness.audit.record({ acts: [] });
    expect(await harness.audit.lastId()).toBe(0);
  });

  it('keeps an act as it was given, whatever becomes of the caller’s objects', async () => {
    const settings = ['A'];
    const recording = harness.audit.record({ acts: [sampleAct({ facts: { settings } })] });
    settings.push('B');
    await recording;
    expect(await listed(harness.audit)).toEqual([expect.objectContaining({ facts: { settings: ['A'] } })]);
  });

  it('is closed with its store: then every method rejects', async () => {
    const { audit } = harness;
    await harness.close();
    for (const call of [
      () => audit.record({ acts: [sampleAct()] }),
      () => listed(audit),
      () => audit.readAfter({ afterId: 0, limit: 1 }),
      () => audit.lastId(),
      () => audit.removeBefore({ before: NOON, limit: 1 }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'store' });
  });
}
