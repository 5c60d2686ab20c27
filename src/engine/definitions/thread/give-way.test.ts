import { readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { builtDocumentWorker } from '../../../../test/support/built-document-worker.js';

/** By the ids of the threads of this process; 0 is what they begin with. */
function priorities(): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const thread of readdirSync('/proc/self/task')) {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    // The name of the thread stands in brackets and may hold blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    found.set(Number(thread), Number(fields[16]));
  }
  return found;
}

(process.platform === 'linux' ? it : it.skip)(
  'a thread that looks at documents leaves the processor to all others of its process',
  async () => {
    const before = priorities();
    const worker = new Worker(builtDocumentWorker);
    await once(worker, 'message');
    const news = [...priorities()].filter(([thread]) => !before.has(thread));
    expect(news.filter(([, nice]) => nice > 0)).toHaveLength(1);
    for (const [thread, nice] of priorities()) if (before.has(thread)) expect(nice).toBe(before.get(thread));
    await worker.terminate();
  },
);
