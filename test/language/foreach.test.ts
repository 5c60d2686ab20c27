import type { UnitHandler } from '../../src/engine/index.js';
import { openEngine, workflowYaml } from '../support/engine.js';
import { gateUnit, refusal, run, Waiting } from './support/runs.js';

const seen: UnitHandler = ({ state }) => Object.keys(state);
const pass = { id: 'pass', uses: 'echo', with: { item: '${{ item }}', index: '${{ index }}' } };

describe('a foreach', () => {
  it('runs one pass per item, with item and index in scope', async () => {
    const { calls, state } = await run(
      { units: [pass], flow: { type: 'foreach', items: 'input.list', do: 'pass', collect: 'all' } },
      {},
      { list: ['x', { n: 1 }, null] },
    );
    const inputs = [
      { item: 'x', index: 0 },
      { item: { n: 1 }, index: 1 },
      { item: null, index: 2 },
    ];
    expect(calls.map(({ input }) => input)).toEqual(inputs);
    expect(state['all']).toEqual(inputs);
  });

  it('calls the item what `as` says', async () => {
    const unit = {
      id: 'pay',
      uses: 'echo',
      with: { total: '${{ invoice.total * 2 }}' },
      if: 'invoice.total > 1',
    };
    const { state } = await run(
      {
        units: [unit],
        flow: { type: 'foreach', items: 'input.invoices', as: 'invoice', do: 'pay', collect: 'paid' },
      },
      {},
      { invoices: [{ total: 1 }, { total: 2 }] },
    );
    expect(state['paid']).toEqual([null, { total: 4 }]);
  });

  it.each([1, 2, 10])(
    'with maxConcurrency %d collects in item order, whichever ends first',
    async (maxConcurrency) => {
      const work = new Waiting();
      const { engine } = await openEngine({
        work: work.handler(({ input }) => `item ${(input as { n: number }).n}`),
      });
      const units = [{ id: 'u', uses: 'work', with: { n: '${{ item }}' } }];
      const flow = { type: 'foreach', items: '[0, 1, 2, 3, 4]', do: 'u', collect: 'all', maxConcurrency };
      await engine.workflows.register({ yaml: workflowYaml('f', { units, flow }) });
      const ending = engine.runs.start({ workflowId: 'f', sync: true });
      let most = 0;
      for (let ended = 0; ended < 5; ended++) {
        while (work.names.length < Math.min(maxConcurrency, 5 - ended))
          await new Promise((resolve) => setImmediate(resolve));
        most = Math.max(most, work.names.length);
        work.finish(work.names.at(-1)!);
      }
      const { result } = await ending;
      expect(result?.state['all']).toEqual(['item 0', 'item 1', 'item 2', 'item 3', 'item 4']);
      expect(most).toBe(Math.min(maxConcurrency, 5));
    },
  );

  it('collects an empty list from no items, and continues', async () => {
    const { state, called } = await run(
      {
        units: [pass, { id: 'after', uses: 'echo' }],
        flow: {
          type: 'sequential',
          order: [{ type: 'foreach', items: 'input.list', do: 'pass', collect: 'all' }, 'after'],
        },
      },
      {},
      { list: [] },
    );
    expect(state['all']).toEqual([]);
    expect(called).toEqual(['after']);
  });

  it('never shows a pass what another one wrote: item 3 does not read item 7’s output', async () => {
    const units = [
      { id: 'fetch', uses: 'slow', with: { n: '${{ item }}' } },
      { id: 'use', uses: 'echo', with: { own: '${{ item }}', read: '${{ outputs.fetch }}' } },
    ];
    const { state } = await run(
      {
        units,
        flow: {
          type: 'foreach',
          items: 'input.list',
          do: { type: 'sequential', order: ['fetch', 'use'] },
          collect: 'all',
          maxConcurrency: 10,
        },
      },
      {
        // The later the item, the sooner its outcome.
        slow: async ({ input }) => {
          const { n } = input as { n: number };
          for (let turns = 0; turns < 20 - n; turns++) await new Promise((resolve) => setImmediate(resolve));
          return n;
        },
      },
      { list: Array.from({ length: 10 }, (_, index) => index) },
    );
    expect(state['all']).toEqual(Array.from({ length: 10 }, (_, index) => ({ own: index, read: index })));
  });

  it('reads, in each pass, the state as it was at the opening', async () => {
    const { state } = await run(
      {
        units: [{ id: 'see', uses: 'seen' }],
        flow: { type: 'foreach', items: '[1, 2, 3]', do: 'see', collect: 'all' },
      },
      { seen },
      { given: 1 },
    );
    expect(state['all']).toEqual([['given'], ['given'], ['given']]);
  });

  it('merges in item order: the last item’s output stays', async () => {
    const { state } = await run({
      units: [pass],
      flow: { type: 'foreach', items: '[1, 2, 3]', do: 'pass', maxConcurrency: 3 },
    });
    expect(state['output.pass']).toEqual({ item: 3, index: 2 });
  });

  it('sees its own item again after an inner foreach, and each inner pass the inner one', async () => {
    const units = [
      { id: 'inner', uses: 'echo', with: { cell: '${{ cell }}', index: '${{ index }}' } },
      {
        id: 'outer',
        uses: 'echo',
        with: { row: '${{ row }}', index: '${{ index }}', cells: '${{ state.cells }}' },
      },
    ];
    const { state } = await run(
      {
        units,
        flow: {
          type: 'foreach',
          items: 'input.rows',
          as: 'row',
          collect: 'rows',
          do: {
            type: 'sequential',
            order: [{ type: 'foreach', items: 'row', as: 'cell', do: 'inner', collect: 'cells' }, 'outer'],
          },
        },
      },
      {},
      { rows: [['a', 'b'], ['c']] },
    );
    expect(state['rows']).toEqual([
      {
        row: ['a', 'b'],
        index: 0,
        cells: [
          { cell: 'a', index: 0 },
          { cell: 'b', index: 1 },
        ],
      },
      { row: ['c'], index: 1, cells: [{ cell: 'c', index: 0 }] },
    ]);
  });

  it('fails when its items are no list', async () => {
    const { record } = await run(
      { units: [pass], flow: { type: 'foreach', items: 'input.list', do: 'pass' } },
      {},
      { list: 'abc' },
    );
    expect(record.error).toBe(
      'The items of the foreach at /spec/flow are no list: input.list must give one.',
    );
  });

  it('continues with the items that are left when the run is resumed', async () => {
    let isBroken = true;
    const test = await run(
      {
        units: [{ id: 'u', uses: 'mends', with: { n: '${{ item }}' } }],
        flow: { type: 'foreach', items: '[0, 1, 2, 3]', do: 'u', collect: 'all' },
      },
      {
        mends: ({ input }) => {
          const { n } = input as { n: number };
          if (n === 2 && isBroken) throw refusal('broken');
          return n;
        },
      },
    );
    expect(test.record.status).toBe('failed');
    isBroken = false;
    expect((await test.resume()).result?.state['all']).toEqual([0, 1, 2, 3]);
    expect(test.calls.map(({ input }) => (input as { n: number }).n)).toEqual([0, 1, 2, 2, 3]);
  });
});

describe('a foreach with a gate', () => {
  const spec = {
    units: [
      gateUnit('ask', { config: { title: 'May ${{ item }} pass?', payload: '${{ item }}' } }),
      { id: 'pay', uses: 'echo', with: { paid: '${{ item }}' } },
    ],
    flow: {
      type: 'foreach',
      items: '["a", "b", "c"]',
      do: { type: 'sequential', order: ['ask', 'pay'] },
      collect: 'all',
      maxConcurrency: 3,
    },
  };

  it('opens one for each item, and each is decided by its own id, in any order', async () => {
    const test = await run(spec);
    const gates = test.record.result!.messages.flatMap((one) => (one.type === 'hitl-request' ? [one] : []));
    expect(gates.map(({ action, payload }) => [action, payload])).toEqual([
      ['May a pass?', 'a'],
      ['May b pass?', 'b'],
      ['May c pass?', 'c'],
    ]);
    for (const gate of gates.toReversed()) {
      expect((await test.now()).status).toBe('paused');
      await test.engine.gates.respond({
        ...test.address,
        approved: true,
        responder: 'ann',
        gateId: gate.gateId,
      });
    }
    expect((await test.now()).result?.state['all']).toEqual([{ paid: 'a' }, { paid: 'b' }, { paid: 'c' }]);
  });

  it('opens no more than maxConcurrency of them', async () => {
    const test = await run({ ...spec, flow: { ...spec.flow, maxConcurrency: 2 } });
    const open = (messages: readonly { type: string }[]) =>
      messages.filter(({ type }) => type === 'hitl-request').length;
    expect(open(test.record.result!.messages)).toBe(2);
    await test.approve('ask');
    expect(open((await test.now()).result!.messages)).toBe(3);
  });
});
