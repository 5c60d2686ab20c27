import { jest } from '@jest/globals';
import { OffLoop } from '../../src/engine/definitions/thread/off-loop.js';
import { createEngine, type Engine } from '../../src/engine/index.js';
import { RegisteredTogether } from '../../src/features/registered-together.js';
import { openEngine } from '../support/engine.js';

let engine: Engine;
beforeEach(async () => {
  ({ engine } = await openEngine());
});
afterEach(() => engine.close());

const callOf = (id: string, child: string): string => `
    - id: ${id}
      uses: builtin.workflow
      config:
        workflowId: ${child}`;
const yamlOf = (workflowId: string, ...units: readonly string[]): string => `apiVersion: flowgate/v1
kind: Workflow
metadata: { id: ${workflowId} }
spec:
  flow: { type: parallel, units: [${units.map((_unit, index) => `u${index}`).join(', ')}] }
  units:${units.join('')}
`;
const invoice = yamlOf('invoice', callOf('u0', 'payment'));
const payment = yamlOf('payment', '\n    - { id: u0, uses: builtin.mock }');

const WARNING = {
  code: 'unregistered-child',
  path: '/spec/units/0/config/workflowId',
  line: 10,
  column: 21,
  message: expect.stringContaining(
    'The unit u0 starts runs of the workflow payment, which is not registered',
  ),
};

describe('a workflow whose child is not registered', () => {
  it('is registered and checked with a warning, which has its position, until the child is registered', async () => {
    const { warnings, warningDetails } = await engine.workflows.register({ yaml: invoice });
    expect(warningDetails).toEqual([WARNING]);
    expect(warnings).toEqual([WARNING.message]);
    await expect(engine.workflows.check({ yaml: invoice })).resolves.toMatchObject({
      warningDetails: [WARNING],
    });
    await engine.workflows.register({ yaml: payment });
    await expect(engine.workflows.check({ yaml: invoice })).resolves.toMatchObject({ warnings: [] });
    await expect(engine.workflows.register({ yaml: invoice })).resolves.toMatchObject({ warnings: [] });
    await engine.workflows.unregister('payment');
    await expect(engine.workflows.check({ yaml: invoice })).resolves.toMatchObject({
      warningDetails: [WARNING],
    });
    const { status } = await engine.runs.start({ workflowId: 'invoice', input: {}, sync: true });
    expect(status).not.toBe('completed');
  });

  it('hears which one is probably meant', async () => {
    await engine.workflows.register({ yaml: payment });
    const { warnings } = await engine.workflows.check({ yaml: yamlOf('w', callOf('u0', 'paymnet')) });
    expect(warnings).toEqual([expect.stringMatching(/put its name right\. Did you mean payment\?$/)]);
  });

  it('is warned of once for each child, and not of itself, of one that an expression names, or where any may be known', async () => {
    const names = ['payment', 'payment', 'w', "'${{ input.child }}'", 'letter'];
    const yaml = yamlOf('w', ...names.map((name, index) => callOf(`u${index}`, name)));
    const { warningDetails } = await engine.workflows.check({ yaml });
    expect(warningDetails.map(({ path }) => path)).toEqual([
      '/spec/units/0/config/workflowId',
      '/spec/units/4/config/workflowId',
    ]);
    await expect(engine.workflows.check({ yaml, anyUses: true })).resolves.toMatchObject({ warnings: [] });
    await expect(createEngine().workflows.check({ yaml })).resolves.toMatchObject({ warnings: [] });
  });

  it('is one of its own namespace', async () => {
    await engine.workflows.register({ yaml: payment, namespace: 'acme' });
    const check = (namespace: string) => engine.workflows.check({ yaml: invoice, namespace });
    await expect(check('acme')).resolves.toMatchObject({ warnings: [] });
    await expect(check('other')).resolves.toMatchObject({ warningDetails: [WARNING] });
  });
});

describe('of documents that are registered together', () => {
  let warned: string[];
  let together: RegisteredTogether;
  beforeEach(() => {
    warned = [];
    together = new RegisteredTogether(engine.workflows, (message) => void warned.push(message));
  });

  it('only children that none of them is are warned of', async () => {
    await together.register('1.yaml', { yaml: invoice });
    await together.register('2.yaml', { yaml: yamlOf('w', callOf('u0', 'letter')) });
    await together.register('3.yaml', { yaml: payment });
    expect(warned).toEqual([]);
    await together.warnOfChildren();
    expect(warned).toEqual([
      expect.stringMatching(/^2\.yaml: The unit u0 starts runs of the workflow letter, which/),
    ]);
  });

  it('none is compiled a second time for that', async () => {
    const compiled = [
      jest.spyOn(OffLoop.prototype, 'compile'),
      jest.spyOn(OffLoop.prototype, 'check'),
    ] as const;
    await together.register('1.yaml', { yaml: invoice });
    await together.warnOfChildren();
    expect(warned).toHaveLength(1);
    expect(compiled.map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    for (const method of compiled) method.mockRestore();
  });

  it('one that replaces another has its own children, and each is warned of once', async () => {
    await together.register('module', { yaml: yamlOf('w', callOf('u0', 'letter')) });
    await together.register('w.yaml', { yaml: yamlOf('w', callOf('u0', 'parcel')) });
    await together.warnOfChildren();
    await together.warnOfChildren();
    expect(warned).toEqual([
      expect.stringMatching(/^w\.yaml: The unit u0 starts runs of the workflow parcel/),
    ]);
  });
});
