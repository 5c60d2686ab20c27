import type { RunRecord } from '../../src/engine/index.js';
import { echoes, gateUnit, refusal, run } from './support/runs.js';

const openGates = (record: RunRecord): readonly string[] =>
  record.result!.messages.flatMap((one) => (one.type === 'hitl-request' ? [one.unitId] : []));

/** Two branches of three steps each: a gate stands in the middle of one. */
const oneGate = {
  units: [...echoes('a1', 'a3', 'b1', 'b2', 'after'), gateUnit('ask')],
  flow: {
    type: 'sequential',
    order: [
      {
        type: 'parallel',
        units: [
          { type: 'sequential', order: ['a1', 'ask', 'a3'] },
          { type: 'sequential', order: ['b1', 'b2'] },
        ],
      },
      'after',
    ],
  },
};

describe('a gate inside a parallel branch', () => {
  it('lets the other branches continue to their end, and the run waits for the gate', async () => {
    const test = await run(oneGate);
    expect(test.record.status).toBe('paused');
    expect(test.record.result?.completedUnits.toSorted()).toEqual(['a1', 'b1', 'b2']);
    expect(openGates(test.record)).toEqual(['ask']);
  });

  it('loses no branch: after the approval every output is there, each unit called once', async () => {
    const test = await run(oneGate);
    const record = await test.approve('ask');
    expect(record.status).toBe('completed');
    expect(Object.keys(record.result!.state).toSorted()).toEqual([
      'hitl.approved',
      'hitl.responder',
      'output.a1',
      'output.a3',
      'output.after',
      'output.ask',
      'output.b1',
      'output.b2',
    ]);
    expect(test.called.toSorted()).toEqual(['a1', 'a3', 'after', 'b1', 'b2']);
  });

  it('is not passed by the approval of another branch’s gate', async () => {
    const units = [gateUnit('first'), gateUnit('second'), ...echoes('pay', 'ship')];
    const branches = [
      { type: 'sequential', order: ['first', 'pay'] },
      { type: 'sequential', order: ['second', 'ship'] },
    ];
    const test = await run({ units, flow: { type: 'parallel', units: branches } });
    expect(openGates(test.record).toSorted()).toEqual(['first', 'second']);
    const half = await test.approve('second');
    expect(half.status).toBe('paused');
    expect(test.called).toEqual(['ship']);
    expect((await test.resume()).status).toBe('paused');
    expect(test.called).toEqual(['ship']);
    const record = await test.approve('first');
    expect(record.status).toBe('completed');
    expect(test.called).toEqual(['ship', 'pay']);
  });

  it('fails the parallel when it is rejected, and nothing after it is called', async () => {
    const test = await run(oneGate);
    expect(await test.approve('ask', false)).toMatchObject({
      status: 'failed',
      error: 'Rejected by ann at gate ask',
    });
    expect(test.called).not.toContain('a3');
    expect(test.called).not.toContain('after');
  });

  it('that is rejected in a best-effort parallel is an error of its branch', async () => {
    const units = [gateUnit('ask'), ...echoes('pay', 'log')];
    const branches = [{ type: 'sequential', order: ['ask', 'pay'] }, 'log'];
    const test = await run({
      units,
      flow: { type: 'parallel', units: branches, failureStrategy: 'best-effort' },
    });
    const record = await test.approve('ask', false);
    expect(record.status).toBe('completed');
    expect(record.result?.state).toEqual({
      'output.log': { from: 'log' },
      'errors.ask': 'Rejected by ann at gate ask',
    });
    expect(test.called).toEqual(['log']);
  });

  it('closes when fail-fast ends the parallel, and opens again when the run is resumed', async () => {
    let isBroken = true;
    const units = [gateUnit('ask'), { id: 'work', uses: 'mends' }];
    const test = await run(
      { units, flow: { type: 'parallel', units: ['ask', 'work'] } },
      {
        mends: () => {
          if (isBroken) throw refusal('broken');
          return 'mended';
        },
      },
    );
    expect(test.record.status).toBe('failed');
    isBroken = false;
    expect((await test.resume()).status).toBe('paused');
    expect((await test.approve('ask')).status).toBe('completed');
    expect(test.called).toEqual(['work', 'work']);
  });

  it('is rewound together with its siblings: a snapshot is the whole run', async () => {
    const test = await run(oneGate);
    await test.approve('ask');
    const snapshots = await test.engine.runs.snapshots(test.address);
    const afterA1 = snapshots.find(({ unitId }) => unitId === 'a1')!;
    const taken = await test.engine.runs.snapshot({ ...test.address, snapshotId: afterA1.snapshotId });
    const rewound = await test.resume(afterA1.snapshotId);
    expect(rewound.status).toBe('paused');
    const before = test.called.length;
    const record = await test.approve('ask');
    expect(record.status).toBe('completed');
    expect(record.result?.completedUnits.toSorted()).toEqual(['a1', 'a3', 'after', 'ask', 'b1', 'b2']);
    expect(test.called.slice(before)).toEqual(['a3', 'after']);
    expect(taken.completedUnits).toContain('a1');
  });
});

describe('a pause inside a branch', () => {
  const spec = {
    units: [
      { id: 'a', uses: 'echo', pause: 'after' },
      { id: 'b', uses: 'echo', pause: 'before' },
      ...echoes('a2', 'c'),
    ],
    flow: { type: 'parallel', units: [{ type: 'sequential', order: ['a', 'a2'] }, 'b', 'c'] },
  };

  it('pauses its own branch only, and each resume lifts the pauses that were open', async () => {
    const test = await run(spec);
    expect(test.record.status).toBe('paused');
    expect(test.called.toSorted()).toEqual(['a', 'c']);
    let { record } = test;
    for (let resumes = 0; record.status === 'paused' && resumes < 3; resumes++) record = await test.resume();
    expect(record.status).toBe('completed');
    expect(test.called.toSorted()).toEqual(['a', 'a2', 'b', 'c']);
  });

  it('in every pass of a foreach pauses that pass', async () => {
    const test = await run({
      units: [{ id: 'u', uses: 'echo', with: { n: '${{ item }}' }, pause: 'before' }],
      flow: { type: 'foreach', items: '[1, 2]', do: 'u', collect: 'all' },
    });
    expect(test.called).toEqual([]);
    await test.resume();
    expect(test.called).toEqual(['u']);
    const record = await test.resume();
    expect(record.result?.state['all']).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('in a loop pauses every pass', async () => {
    const test = await run({
      units: [{ id: 'u', uses: 'echo', pause: 'after' }],
      flow: { type: 'loop', do: 'u', maxIterations: 2 },
    });
    expect(test.called).toHaveLength(1);
    expect((await test.resume()).status).toBe('paused');
    expect(test.called).toHaveLength(2);
    expect((await test.resume()).status).toBe('completed');
  });
});
