import {
  createEngine,
  NonRetryableError,
  type Engine,
  type RunRecord,
  type UnitHandler,
} from '../../src/engine/index.js';
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
    const handler = new Function('NonRetryableError', `return (${source})`)(NonRetryableError) as UnitHandler;
    let calls = 0;
    engine.registerUnit('acme.probe', (request, options) => {
      calls++;
      return handler(request, options);
    });
    const policy = { ...TWICE, timeout: { unitMs: 400 } };
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

  it('cannot have the name of another one, which the error says', () => {
    engine.registerUnit('acme.twice', () => 1, { by: 'Orders.a' });
    expect(() => engine.registerUnit('acme.twice', () => 2)).toThrow(
      'The unit acme.twice is registered by Orders.a and again by a call of registerUnit: give one of them another name',
    );
  });

  it('has its time-out deferred by its heartbeats, and only by those', async () => {
    const until: number[] = [];
    engine.registerUnit('acme.probe', async (_request, context) => {
      for (let beat = 0; beat < 4; beat += 1) {
        await new Promise((resolve) => setTimeout(resolve, 250));
        until.push(context.deadlineAt);
        context.heartbeat();
      }
      return 'done';
    });
    const policy = { timeout: { unitMs: 700 } };
    const units = [{ id: 'probe', uses: 'acme.probe' }];
    await engine.workflows.register({ yaml: document('probe', units, { policy }) });
    expect(outcomeOf(await engine.runs.start({ workflowId: 'probe', sync: true }))).toBe('done');
    expect(until).toEqual([...until].sort());
    expect(until.at(-1)! - until[0]!).toBeGreaterThan(300);
  });

  it('has types', async () => {
    engine.registerUnit<{ price: number }, { gross: number }>('acme.typed', ({ input }) => ({
      gross: input.price * 2,
    }));
    // @ts-expect-error: what it answers is not what was said.
    engine.registerUnit<{ price: number }, { gross: number }>('acme.wrong', () => ({ net: 1 }));
    engine.registerUnit('acme.plain', ({ input }) => input);
    await engine.workflows.register({ yaml: document('probe', [{ id: 'probe', uses: 'acme.typed' }]) });
    const record = await engine.runs.start({ workflowId: 'probe', input: { price: 1 }, sync: true });
    expect(outcomeOf(record)).toEqual({ gross: 2 });
  });

  it('cannot have the name of a built-in one', () => {
    expect(() => engine.registerUnit('builtin.mine', () => 1)).toThrow('reserved');
  });
});
