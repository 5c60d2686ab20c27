import { workerData } from 'node:worker_threads';
import { serve } from '../threads/serve.js';
import { GroupWriter } from './group-writer.js';
import type { FlatValue } from './operation.js';

const writer = new GroupWriter(String(workerData));

serve({
  handle: (group: readonly FlatValue[]) => writer.write(group),
  afterwards: () => writer.checkpointIfDue(),
  close: () => writer.close(),
});
