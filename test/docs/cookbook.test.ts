import { parse } from 'yaml';
import { createEngine, NonRetryableError, type Engine, type JsonObject } from '../../src/engine/index.js';
import { readPage } from './support/page-blocks.js';

interface Played {
  readonly input?: JsonObject;
  readonly status: string;
  readonly state?: object;
  readonly output?: object;
  readonly error?: string;
  /** The units that are called, in this order. */
  readonly called?: readonly string[];
  /** The document that is registered first. */
  readonly before?: string;
}

const DOCUMENT = /<!-- run: (.*) -->\n\n```yaml\n([^]*?)```/g;
const page = readPage('docs/cookbook.md');

const recipes = [...page.matchAll(DOCUMENT)].map(([, played = '', yaml = '']) => ({
  id: (parse(yaml) as { readonly metadata: { readonly id: string } }).metadata.id,
  yaml,
  played: JSON.parse(played) as Played,
}));

/** What the bank takes of a card. */
const MOST = 1_000;

/** The units of the page: a bank whose first answer is late, a store, a chat, a model that looks something up once. */
function unitsOfThePage(engine: Engine, called: string[]): void {
  const unit = (name: string, answer: (input: JsonObject, attempt: number) => unknown): void =>
    engine.registerUnit(name, ({ input, context }) => {
      called.push(name);
      return answer(input as JsonObject, context.attempt) as JsonObject;
    });
  unit('bank.charge', ({ amount }, attempt) => {
    if (Number(amount) > MOST) throw new NonRetryableError('card declined');
    if (attempt === 1) throw new Error('the bank is busy');
    return { paid: amount };
  });
  unit('stock.reserve', () => ({ id: 'r-1' }));
  unit('stock.release', () => ({ released: true }));
  unit('stock.ship', () => ({ shipped: true }));
  unit('chat.post', ({ text }) => ({ posted: text }));
  unit('crm.find', () => ({ customer: 'Ada' }));
  unit('model.think', ({ step }) => ({
    content: { next: step === 0 ? 'find' : 'answer' },
    tokenUsage: { totalTokens: 100 },
  }));
}

describe('a recipe of the cookbook', () => {
  it.each(recipes)(
    '$id is registered without a warning, and runs as the page says',
    async ({ yaml, played }) => {
      const engine = createEngine();
      await engine.open();
      const called: string[] = [];
      unitsOfThePage(engine, called);
      const first = recipes.find(({ id }) => id === played.before);
      if (first !== undefined) await engine.workflows.register({ yaml: first.yaml });
      const { workflowId, warnings } = await engine.workflows.register({ yaml });
      expect(warnings).toEqual([]);
      const { input = {} } = played;
      const { status, error, result } = await engine.runs.start({ workflowId, input, sync: true });
      await engine.close();
      expect({ status, error }).toEqual({ status: played.status, error: played.error });
      expect(result?.state ?? {}).toMatchObject(played.state ?? {});
      if (played.output !== undefined) expect(result?.output).toEqual(played.output);
      if (played.called !== undefined) expect(called).toEqual(played.called);
    },
  );

  it('has every unit of its documents tried, and there are some', () => {
    const blocks = [...page.matchAll(/^```yaml$/gm)];
    expect(recipes).toHaveLength(blocks.length);
    expect(recipes.length).toBeGreaterThan(6);
  });
});
