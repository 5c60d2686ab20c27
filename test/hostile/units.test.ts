import { bound, document, mock, remote } from '../support/workflow-documents.js';
import { flowing, longText, looping, numbers } from './support/hostile-documents.js';
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
  it('a thousand in one run', async () => {
    const faults = await besiege('a run of a thousand hanging units', {
      attack: async ({ attacker }) => {
        const all = numbers(1_000).map((n) => ({ id: `u${n}`, uses: 'acme.hang' }));
        const flow = { type: 'parallel', units: all.map(({ id }) => id) };
        const yaml = flowing('hanging', all, flow, { policy: patient });
        await attacker.register(yaml, bound('hang', `${units.url}/never`));
        await attacker.start('hanging');
      },
    });
    expect(faults).toEqual([]);
  });

  it('one in each of a thousand runs', async () => {
    const faults = await besiege('a thousand runs of one hanging unit', {
      attack: async ({ attacker }) => {
        const yaml = document('hangs', [remote('hang')], { policy: patient });
        await attacker.register(yaml, bound('hang', `${units.url}/never`));
        await attacker.start('hangs', {}, 1_000);
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

  it('a thousand mocks that sleep for a year', async () => {
    const faults = await besiege('sleeping mocks', {
      attack: async ({ attacker }) => {
        const sleeper = mock('sleeper', 1, { config: { delayMs: 2_000_000_000 } });
        await attacker.register(document('sleeps', [sleeper], { policy: patient }));
        await attacker.start('sleeps', {}, 1_100);
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
        const yaml = flowing('echo', [remote('one'), remote('two')], flow, { policy: patient });
        const { status, body } = await attacker.register(yaml, {
          ...bound('one', self),
          ...bound('two', self),
        });
        // Either the address is refused, with a reason, or what comes of it is bounded.
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
    ['byte by byte', '/byte-by-byte'],
    ['without an end', '/endless'],
    ['with a bomb of compressed zeros', '/bomb'],
  ])('two hundred that answer %s', async (name, path) => {
    const faults = await besiege(`answers ${name}`, {
      watchMs: 4_000,
      afterRestartMs: 1_500,
      attack: async ({ attacker }) => {
        const yaml = document('bad', [remote('bad')], { policy: patient });
        await attacker.register(yaml, bound('bad', `${units.url}${path}`));
        await attacker.start('bad', {}, 200);
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
        // Eighty texts of `builtin.fail`, each as long as an expression may make one.
        const message = `\${{ ${longText(19)} }}`;
        const all = numbers(80).map((n) => ({ id: `u${n}`, uses: 'builtin.fail', config: { message } }));
        const flow = { type: 'parallel', units: all.map(({ id }) => id), failureStrategy: 'collect-errors' };
        await attacker.register(flowing('fails', all, flow));
        const reply = await attacker.post('/workflows/fails/runs', { sync: true });
        expect([reply.status, reply.body['status']]).toEqual([
          202,
          expect.stringMatching(/^(failed|paused)$/),
        ]);
        expect(reply.text.length).toBeLessThan(1_000_000);
      },
    });
    expect(faults).toEqual([]);
  });
});
