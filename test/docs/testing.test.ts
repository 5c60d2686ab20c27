import assert from 'node:assert/strict';
import * as kitOf from '../../src/testing/index.js';
import { TestKit } from '../../src/testing/index.js';
import { scripted, type ScriptedUnit } from '../../src/testing/index.js';
import { blocksOf, readPage } from './support/page-blocks.js';

const page = readPage('docs/testing.md');

/** What a test file of the page does, with `globals` in place of what its runner and its imports give it. */
async function play(index: number, globals: Readonly<Record<string, unknown>>): Promise<void> {
  const block = blocksOf(page).filter(({ kind }) => kind === 'js')[index];
  const lines = block!.text.split('\n').filter((line) => !line.startsWith('import '));
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  await new AsyncFunction(...Object.keys(globals), lines.join('\n'))(...Object.values(globals));
}

type Hook = () => Promise<void> | void;

describe('docs/testing.md', () => {
  it.each([
    ['Jest', 0],
    ['Node’s runner', 1],
  ])('has tests for %s that pass', async (_runner, index) => {
    const tests: [string, Hook][] = [];
    const hooks: { before: Hook; after: Hook } = { before: () => undefined, after: () => undefined };
    await play(index, {
      openTestKit: kitOf.openTestKit,
      scripted,
      expect,
      assert,
      test: (name: string, body: Hook) => void tests.push([name, body]),
      beforeEach: (hook: Hook) => (hooks.before = hook),
      afterEach: (hook: Hook) => (hooks.after = hook),
    });
    expect(tests.length).toBeGreaterThan(0);
    for (const [, body] of tests) {
      await hooks.before();
      await body();
      await hooks.after();
    }
  });

  it('names what the kit has', () => {
    const table = (heading: string) =>
      page
        .slice(page.indexOf(`| ${heading}`))
        .split('\n\n')[0]!
        .split('\n')
        .slice(2)
        .flatMap((line) => [...line.split('|')[1]!.matchAll(/`(\w+)(?=[(`])/g)].map(([, name]) => name));
    const unit: ScriptedUnit = scripted();
    for (const name of table('of `scripted()`')) expect(unit).toHaveProperty(name!);
    const ofRun = Object.getOwnPropertyNames(
      Object.getPrototypeOf(new TestKit({} as never, new kitOf.ManualClock()).run('w', 'r')),
    );
    const names = table('of a run');
    expect(names.length).toBeGreaterThan(8);
    for (const name of names) expect(ofRun).toContain(name);
  });
});
