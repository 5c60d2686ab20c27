import { workerData } from 'node:worker_threads';
import { serve } from '../threads/serve.js';
import { putEntries, removeRuns, search } from './memory-operations.js';
import type { Connection } from '../connection/connection.js';
import { openMemory } from './memory-schema.js';
import type { MemoryTask, MemoryTaskResult } from './memory-task.js';

const file = String(workerData);
let memory: Connection | null = null;

function perform(task: MemoryTask): MemoryTaskResult {
  memory ??= openMemory(file).connection;
  switch (task.kind) {
    case 'put':
      putEntries(memory, task.entries);
      return { kind: 'done' };
    case 'search':
      return { kind: 'found', hits: search(memory, task) };
    case 'remove-runs':
      removeRuns(memory, task.runIds);
      return { kind: 'done' };
  }
}

serve({ handle: perform, close: () => memory?.close() });
