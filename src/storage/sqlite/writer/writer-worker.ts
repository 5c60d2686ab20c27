import { workerData } from 'node:worker_threads';
import { Connection } from '../connection/connection.js';
import { serve } from '../threads/serve.js';
import { GroupWriter } from './group-writer.js';
import type { FlatValue } from './operation.js';

const file = String(workerData);
const writer = new GroupWriter(() => new Connection(file, 'write'));

serve({
  handle: (group: readonly FlatValue[]) => writer.write(group),
  afterwards: () => writer.checkpointIfDue(),
  close: () => writer.close(),
});
