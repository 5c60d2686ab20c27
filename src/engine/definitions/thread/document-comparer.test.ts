import { builtDocumentWorker } from '../../../../test/support/built-document-worker.js';
import { yamlOf } from '../../../../test/support/registrars.js';
import { DocumentComparer } from './document-comparer.js';

const comparers: DocumentComparer[] = [];
afterAll(() => Promise.all(comparers.map((one) => one.close())));

function comparer(worker: URL | null): DocumentComparer {
  const made = new DocumentComparer(worker);
  comparers.push(made);
  return made;
}

const side = (name: string, text: string) => ({ name, text });
/** A document with so many characters more in its unit `a`. */
const documentOf = (n: number, chars = 0) =>
  yamlOf('w', { units: [{ id: 'a', uses: 'work', with: { n, padding: 'x'.repeat(chars) } }] });
/** As many lines as a document takes, hardly any of them as in another one. */
const longDocument = (seed: number, lines: number) =>
  `${documentOf(1).replaceAll(/\s/g, ' ')}\n${Array.from({ length: lines }, (_, n) => `# ${(n * seed) % 99_991}\n`).join('')}`;

describe.each([
  ['on the event loop', null],
  ['in a thread', builtDocumentWorker],
])('two documents, %s,', (_where, worker) => {
  it.each([0, 200_000])('are compared with %d characters more', async (chars) => {
    const { text, units } = await comparer(worker).compare(
      side('one', documentOf(1, chars)),
      side('two', documentOf(2, chars)),
    );
    expect(text.slice(0, 32)).toBe('--- one\n+++ two\n@@ -1,1 +1,1 @@\n');
    expect(units).toEqual({ added: [], removed: [], changed: ['a'] });
  });

  it('that are too different are not shown, and their units are compared all the same', async () => {
    const { text, units } = await comparer(worker).compare(
      side('one', longDocument(7, 60_000)),
      side('two', longDocument(11, 60_000)),
    );
    expect(text).toContain('too different, to be shown line by line: read both of them');
    expect(units).toEqual({ added: [], removed: [], changed: [] });
  });
});

it('what is under way when it is closed says that the service shuts down', async () => {
  const closing = comparer(builtDocumentWorker);
  const [comparing] = await Promise.allSettled([
    closing.compare(side('one', longDocument(7, 200_000)), side('two', longDocument(11, 200_000))),
    closing.close(),
  ]);
  expect(comparing).toMatchObject({ status: 'rejected', reason: { code: 'shutting-down' } });
});
