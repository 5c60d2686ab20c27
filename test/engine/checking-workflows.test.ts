import { createEngine } from '../../src/engine/index.js';
import { inSequence } from '../support/engine.js';

const engine = createEngine();
afterAll(() => engine.close());

const remote = inSequence('remote', [
  { id: 'a', uses: 'shop.price' },
  { id: 'b', uses: 'shop.stock' },
  { id: 'c', uses: 'builtin.http', with: { body: 1 } },
  { id: 'd', uses: 'builtin.mock', config: { response: 1 } },
]);

const faultsOf = async (yaml: string, anyUses: boolean, bindings?: unknown): Promise<unknown> =>
  engine.workflows.check({ yaml, anyUses, bindings }).catch((error: unknown) => error);

describe('a workflow that is only checked', () => {
  it('may use names that only its server knows, and they are listed', async () => {
    await expect(
      engine.workflows.check({
        yaml: remote,
        anyUses: true,
        bindings: { 'shop.stock': { type: 'http', endpoint: 'http://127.0.0.1:9/' } },
      }),
    ).resolves.toEqual({
      workflowId: 'remote',
      warnings: [],
      warningDetails: [],
      unanswered: ['shop.price'],
    });
  });

  it('is not registered', async () => {
    await engine.workflows.check({ yaml: remote, anyUses: true });
    expect(await engine.workflows.list()).toEqual([]);
  });

  it('reports the faults that a registration would name', async () => {
    expect(await faultsOf(remote, false)).toMatchObject({
      code: 'yaml-load',
      details: [
        { path: '/spec/units/0/uses' },
        { path: '/spec/units/1/uses' },
        { path: '/spec/units/2/config' },
      ],
    });
    const typo = inSequence('typo', [{ id: 'a', uses: 'builtin.mok' }]);
    expect(await faultsOf(typo, true)).toMatchObject({
      details: [{ path: '/spec/units/0/uses', message: expect.stringContaining('builtin.mock') }],
    });
    expect(await faultsOf('a: [', true)).toMatchObject({ code: 'yaml-validation' });
    expect(await faultsOf(remote, true, { 'shop.price': { type: 'ftp' } })).toMatchObject({
      code: 'yaml-load',
    });
  });
});
