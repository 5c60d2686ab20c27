import { createEngine, type Engine, type RunRecord, type UnitHandler } from '../../src/engine/index.js';
import { document } from '../support/workflow-documents.js';
import { shownAs } from './support/masked.js';
import { firstCode } from './support/page-tables.js';
import { outcomeOf, TWICE } from './support/probe.js';
import { blockOf, tableOf } from './support/units-page.js';

describe('a unit in the process', () => {
  let engine: Engine;

  beforeEach(async () => {
    engine = createEngine();
    await engine.open();
  });
  afterEach(() => engine.close());

  it('is registered as the page shows', async () => {
    const [first, ...lines] = blockOf('js').split('\n');
    expect(first).toBe("import { createEngine } from 'flowgate/engine';");
    const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
    const play = new AsyncFunction('createEngine', 'yaml', `${lines.join('\n')}\nreturn record;`);
    const record = (await play(createEngine, blockOf('yaml'))) as RunRecord;
    expect(record.result?.state['output.add-tax']).toEqual({ gross: 119 });
  });

  it.each(tableOf('handler').rows)('of line $line ends so: $cells.0', async ({ cells }) => {
    const [source = '', again, shown = ''] = [firstCode(cells[0]), cells[1], firstCode(cells[2])];
    const handler = new Function(`return (${source})`)() as UnitHandler;
    let calls = 0;
    engine.registerUnit('acme.probe', (request, options) => {
      calls++;
      return handler(request, options);
    });
    const policy = { ...TWICE, timeout: { unitMs: 40 } };
    await engine.workflows.register({
      yaml: document('probe', [{ id: 'probe', uses: 'acme.probe' }], { policy }),
    });
    const record = await engine.runs.start({ workflowId: 'probe', sync: true });
    expect(calls).toBe(again === 'yes' ? 2 : 1);
    expect(outcomeOf(record)).toEqual(record.status === 'failed' ? shownAs(shown) : JSON.parse(shown));
  });

  it('is given frozen values', async () => {
    const frozen: boolean[] = [];
    engine.registerUnit('acme.probe', ({ input, state, context }) => {
      frozen.push(...[input, state, context].map((given) => Object.isFrozen(given)));
    });
    await engine.workflows.register({ yaml: document('probe', [{ id: 'probe', uses: 'acme.probe' }]) });
    await engine.runs.start({ workflowId: 'probe', input: { a: { b: 1 } }, sync: true });
    expect(frozen).toEqual([true, true, true]);
  });

  it('cannot have the name of a built-in one', () => {
    expect(() => engine.registerUnit('builtin.mine', () => 1)).toThrow('reserved');
  });
});
