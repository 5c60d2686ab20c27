import { bound, document, mock, remote } from '../support/workflow-documents.js';
import { flowing, looping, numbers } from './support/hostile-documents.js';
import { startHostileUnits, type HostileUnits } from './support/hostile-units.js';
import { besiege } from './support/siege.js';

const TEN_YEARS_MS = 315_000_000_000;
const patient = {
  concurrency: { maxParallelUnits: 10_000 },
  timeout: { unitMs: TEN_YEARS_MS },
  retry: { maxAttempts: 1 },
};

let units: HostileUnits;
beforeAll(async () => {
  units = await startHostileUnits();
});
afterAll(() => units.close());

describe('units that hang: nobody else notices', () => {
  it('a thousand in one run, one in each of a thousand runs, and as many mocks that sleep', async () => {
    const faults = await besiege('units that hang, mocks that sleep', {
      attack: async ({ attacker }) => {
        const hang = bound('hang', `${units.url}/never`);
        const all = numbers(1_000).map((n) => ({ id: `u${n}`, uses: 'acme.hang' }));
        const flow = { type: 'parallel', units: all.map(({ id }) => id) };
        await attacker.register(flowing('at-once', all, flow, { policy: patient }), hang);
        await attacker.start('at-once');
        await attacker.register(document('one-each', [remote('hang')], { policy: patient }), hang);
        await attacker.start('one-each', {}, 1_000);
        const sleeper = mock('sleeper', 1, { config: { delayMs: 2_000_000_000 } });
        await attacker.register(document('asleep', [sleeper], { policy: patient }));
        await attacker.start('asleep', {}, 1_000);
      },
    });
    expect(faults).toEqual([]);
  });

  it('one in each of a thousand runs of a hundred workflows', async () => {
    const faults = await besiege('a hundred workflows of hanging units', {
      attack: async ({ attacker }) => {
        for (const n of numbers(100)) {
          const yaml = document(`hangs-${n}`, [remote('hang')], { policy: patient });
          await attacker.register(yaml, bound('hang', `${units.url}/never`));
        }
        await Promise.all(numbers(100).map((n) => attacker.start(`hangs-${n}`, {}, 12)));
      },
    });
    expect(faults).toEqual([]);
  });
});

describe('units that answer badly: nobody else notices', () => {
  it('one that calls the start of its own run, twice', async () => {
    const faults = await besiege('a run that starts itself', {
      attack: async ({ attacker, url }) => {
        const self = `${url}/workflows/echo/runs`;
        const flow = { type: 'parallel', units: ['one', 'two'] };
        const yaml = flowing('echo', [remote('one'), remote('two')], flow);
        const { status, body } = await attacker.register(yaml, {
          ...bound('one', self),
          ...bound('two', self),
        });
        // Either the address is refused, with a reason, or its effect is bounded.
        if (status === 400) expect(body['error']).toMatch(/127\.0\.0\.1|localhost|itself|address/);
        else await attacker.start('echo');
      },
      afterwards: async ({ output }) => {
        const started = output().match(/"?Run started.*echo/g) ?? [];
        expect(started.length).toBeLessThan(100);
      },
    });
    expect(faults).toEqual([]);
  });

  it.each([
    ['byte by byte, and a hundred that answer without an end', ['byte-by-byte', 'endless']],
    ['with a bomb of compressed zeros', ['bomb']],
  ])('a hundred that answer %s', async (name, paths) => {
    const faults = await besiege(`answers ${name}`, {
      attack: async ({ attacker }) => {
        for (const path of paths) {
          const yaml = document(path, [remote('bad')], { policy: patient });
          await attacker.register(yaml, bound('bad', `${units.url}/${path}`));
          await attacker.start(path, {}, 100);
        }
      },
    });
    expect(faults).toEqual([]);
  });

  it('one that patches the state by a hundred thousand keys, in a loop', async () => {
    const faults = await besiege('a hundred thousand keys', {
      attack: async ({ attacker }) => {
        const yaml = looping('keys', [remote('keys')], 'keys', 1_000);
        await attacker.register(yaml, bound('keys', `${units.url}/many-keys`));
        await attacker.start('keys', {}, 2);
      },
    });
    expect(faults).toEqual([]);
  });

  it('a parallel of eighty whose outputs have eight megabytes each', async () => {
    const faults = await besiege('long answers', {
      mostMib: 768,
      attack: async ({ attacker }) => {
        const all = numbers(80).map((n) => ({ id: `u${n}`, uses: 'acme.long' }));
        const flow = { type: 'parallel', units: all.map(({ id }) => id) };
        await attacker.register(flowing('long', all, flow), bound('long', `${units.url}/long`));
        await attacker.start('long');
      },
    });
    expect(faults).toEqual([]);
  });

  it('eighty failures of eight megabytes, collected: the run fails with a record', async () => {
    const faults = await besiege('collected failures', {
      attack: async ({ attacker }) => {
        const config = { message: '${{ input.big }}' };
        const all = numbers(80).map((n) => ({ id: `u${n}`, uses: 'builtin.fail', config }));
        const flow = { type: 'parallel', units: all.map(({ id }) => id), failureStrategy: 'collect-errors' };
        const big = 'x'.repeat(7_900_000);
        await attacker.register(flowing('fails', all, flow));
        const reply = await attacker.post('/workflows/fails/runs', { sync: true, input: { big } });
        expect([reply.status, reply.body['status']]).toEqual([
          202,
          expect.stringMatching(/^(failed|paused)$/),
        ]);
      },
    });
    expect(faults).toEqual([]);
  });
});
