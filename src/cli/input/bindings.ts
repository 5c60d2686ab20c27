import { access } from 'node:fs/promises';
import { UsageError } from '../command-errors.js';
import { readJsonObject } from './read-json.js';
import { STDIN } from './read-text.js';
import { DOCUMENT } from './workflow-files.js';

type Bindings = Readonly<Record<string, unknown>>;

/** Reads each `--bind uses=url`. Throws a `UsageError` for one that is written otherwise. */
function bindingsOf(given: readonly string[] = []): Bindings {
  const bindings: Record<string, unknown> = {};
  for (const one of given) {
    const [, uses, endpoint] = /^([^=]+)=(.+)$/s.exec(one) ?? [];
    if (uses === undefined || endpoint === undefined)
      throw new UsageError(`--bind ${one} binds nothing: write --bind demo.greet=http://127.0.0.1:9000/.`);
    if (Object.hasOwn(bindings, uses))
      throw new UsageError(`--bind binds ${uses} more than once: give it once.`);
    // Not by assignment, because `__proto__` is an ordinary name here.
    Object.defineProperty(bindings, uses, {
      value: { type: 'http', endpoint },
      enumerable: true,
    });
  }
  return bindings;
}

/** Reads `<name>.bindings.json` next to `<name>.yaml`, as `FLOWGATE_WORKFLOWS_DIR` does; null: there is no such file. */
async function bindingsBeside(document: string): Promise<Bindings | null> {
  if (document === STDIN || !DOCUMENT.test(document)) return null;
  const path = document.replace(DOCUMENT, '.bindings.json');
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  return exists ? readJsonObject(path) : null;
}

/** Bindings of the command line override those of the file next to the document; null: nothing is bound. */
export async function bindingsFor(document: string, given: readonly string[] = []): Promise<Bindings | null> {
  const own = bindingsOf(given);
  const beside = await bindingsBeside(document);
  return beside === null && given.length === 0 ? null : { ...beside, ...own };
}
