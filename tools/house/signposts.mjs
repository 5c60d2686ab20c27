// docs/paths.md says through which files the paths go. A step that V8 did not see on its path points the wrong way.
import { readFileSync } from 'node:fs';

const PAGE = 'docs/paths.md';
/** Nothing of the measured runs enters them in this process. */
const UNSEEN = new Set([
  // They run in the thread of the writer.
  'storage/sqlite/writer/writer-worker.ts',
  'storage/sqlite/writer/group-writer.ts',
  'storage/sqlite/operations/append/append-run.ts',
  // It is asked where an agent decides.
  'hitl/own-gates.ts',
  // It is asked where the gate is that of a child run.
  'engine/runtime/requests/family-steering.ts',
  // The run that is forked there is still in memory, with its state.
  'engine/runtime/mailbox/loading/load-state.ts',
]);

/** `found`: the compiled files on each path, as `paths()` measures them. */
export function wrongSteps(found) {
  const wrong = [];
  let name = '';
  for (const [index, line] of readFileSync(PAGE, 'utf8').split('\n').entries()) {
    if (line.startsWith('## ')) name = line.slice(3).toLowerCase();
    const file = /^\| `([\w./-]+)\.ts`/.exec(line)?.[1];
    if (file === undefined || UNSEEN.has(`${file}.ts`)) continue;
    // An append is measured as the part of a request that is in the storage; the page begins before that.
    const seen = name === 'append' ? found.request : found[name];
    if (!seen.includes(`${file}.js`))
      wrong.push(`${PAGE}:${index + 1}: ${file}.ts is not on the path of ${name}: correct the page`);
  }
  return wrong;
}
