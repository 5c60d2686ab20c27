import { mock } from '../support/workflow-documents.js';
import { flowing, leaf, longText, looping, nested, numbers, set } from './support/hostile-documents.js';
import { besiege } from './support/siege.js';

/** Four maps of ten items inside one another: 10,000 values, for a few bytes of document. */
const maps = '${{ input.l.map(a, input.l.map(b, input.l.map(c, input.l.map(d, a + b + c + d)))) }}';
const greedy = looping('greedy', [set('build', { built: maps })], 'build', 1_000);
const MEGABYTE = 'x'.repeat(1_000_000);

describe('runs that compute without a pause: nobody else notices', () => {
  it('a hundred loops of a thousand passes over nested maps', async () => {
    const faults = await besiege('a hundred greedy runs', {
      attack: async ({ attacker }) => {
        await attacker.register(greedy);
        await attacker.start('greedy', { input: { l: numbers(10) } }, 100);
      },
    });
    expect(faults).toEqual([]);
  });

  it('a loop without an end, while two hundred honest runs reach theirs', async () => {
    const faults = await besiege('honest runs beside an endless one', {
      mostMib: 704,
      mostMs: 350,
      attack: async ({ attacker }) => {
        const cheap = looping('endless', [set('count', { n: '${{ iteration }}' })], 'count', 1_000_000);
        await attacker.register(cheap);
        await attacker.start('endless', {}, 4);
        const path = '/workflows/honest/runs';
        const replies = await Promise.all(
          numbers(200).map(() => attacker.post(path, { sync: true, input: {} })),
        );
        expect(replies.filter(({ body }) => body['status'] === 'completed')).toHaveLength(200);
      },
    });
    expect(faults).toEqual([]);
  });

  it('a loop that copies eight megabytes in every pass', async () => {
    const faults = await besiege('copies of a large input', {
      mostMib: 704,
      // A run's two commits wait for the writer, which first writes sixteen megabytes of the attacker: 190 to 290 ms.
      mostMs: 350,
      attack: async ({ attacker }) => {
        const copy = set('copy', { copied: '${{ input.big.upperAscii() }}' });
        await attacker.register(looping('copies', [copy], 'copy', 100_000));
        await attacker.start('copies', { input: { big: 'x'.repeat(7_900_000) } });
      },
    });
    expect(faults).toEqual([]);
  });

  it('a loop that records a megabyte in each of six hundred passes', async () => {
    const faults = await besiege('a turn of 600 MB', {
      attack: async ({ attacker }) => {
        const copy = set('copy', { copied: '${{ input.big }}' });
        await attacker.register(looping('records', [copy], 'copy', 600));
        await attacker.start('records', { input: { big: MEGABYTE } });
      },
    });
    expect(faults).toEqual([]);
  });

  it('a loop that grows its state by long keys and long texts, made from nothing', async () => {
    const faults = await besiege('texts from nothing', {
      mostMib: 704,
      attack: async ({ attacker }) => {
        const grow = set('grow', { text: `\${{ ${longText(16)} + string(iteration) }}` });
        await attacker.register(looping('grows', [grow], 'grow', 100_000));
        await attacker.start('grows', {}, 3);
      },
    });
    expect(faults).toEqual([]);
  });
});

describe('flows that fan out: nobody else notices', () => {
  it('a parallel of twenty thousand', async () => {
    const faults = await besiege('a wide parallel', {
      mostMib: 704,
      mostMs: 350,
      attack: async ({ attacker }) => {
        const units = numbers(20_000).map((n) => mock(`u${n}`, n));
        const flow = { type: 'parallel', units: units.map(({ id }) => id) };
        const policy = { concurrency: { maxParallelUnits: 10_000 } };
        await attacker.register(flowing('wide', units, flow, { policy }));
        await attacker.start('wide', {}, 2);
      },
    });
    expect(faults).toEqual([]);
  });

  it('a foreach of four hundred thousand', async () => {
    const faults = await besiege('a long foreach', {
      mostMib: 704,
      attack: async ({ attacker }) => {
        const flow = { type: 'foreach', items: 'input.l', do: 'leaf', maxConcurrency: 10_000 };
        await attacker.register(flowing('long', [leaf], flow));
        await attacker.start('long', { input: { l: numbers(400_000) } });
      },
    });
    expect(faults).toEqual([]);
  });

  it('sixty-odd foreach of two inside one another', async () => {
    const faults = await besiege('nested foreach', {
      attack: async ({ attacker }) => {
        const twice = (inner: unknown) => ({
          type: 'foreach',
          items: '[1, 2]',
          do: inner,
          maxConcurrency: 2,
        });
        await attacker.register(flowing('nested', [leaf], nested(62, twice)));
        const ids = await attacker.start('nested');
        expect(ids).toHaveLength(1);
      },
    });
    expect(faults).toEqual([]);
  });
});
