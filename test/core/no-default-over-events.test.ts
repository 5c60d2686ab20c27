import { globSync, readFileSync } from 'node:fs';
import { CORE_EVENTS } from '../../src/engine/core/fold/core-events.js';
import { PUBLIC_EVENT_TYPES } from '../../src/engine/core/log/public-form.js';
import { WAIT_KINDS } from '../../src/engine/core/waits/registry.js';

const TYPES = new Set<string>([
  ...[CORE_EVENTS, ...Object.values(WAIT_KINDS).map(({ events }) => events)].flatMap(Object.keys),
  ...PUBLIC_EVENT_TYPES,
]);
// It is a status of runs, too.
TYPES.delete('paused');

/** Events of another version's service, whose types are not known. */
const OF_OTHER_VERSIONS = new Set(['src/cli/remote/output/event-line.ts']);

/** The switches of a text, each up to the brace that ends it. Formatted by Prettier, so indentation tells. */
function switchesIn(text: string): readonly string[] {
  return [...text.matchAll(/^( *)switch \(.*\) \{\n([\s\S]*?)^\1\}/gm)].map(([, , body]) => body ?? '');
}

describe('a switch over types of events', () => {
  it('has no default, so that a new type is decided upon wherever there is one', () => {
    const files = globSync('src/**/*.ts').filter(
      (file) => !file.endsWith('.test.ts') && !OF_OTHER_VERSIONS.has(file),
    );
    let found = 0;
    const withDefault: string[] = [];
    for (const file of files) {
      for (const body of switchesIn(readFileSync(file, 'utf8'))) {
        const cases = [...body.matchAll(/^\s*case '([^']+)':/gm)].map(([, type]) => type ?? '');
        if (!cases.some((type) => TYPES.has(type))) continue;
        found += 1;
        if (/^\s*default:/m.test(body)) withDefault.push(file);
      }
    }
    expect(withDefault).toEqual([]);
    expect(found).toBeGreaterThan(0);
  });
});
