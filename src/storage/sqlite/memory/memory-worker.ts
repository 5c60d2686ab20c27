import { workerData } from 'node:worker_threads';
import { serve } from '../threads/serve.js';
import { putEntries, removeRuns, search } from './memory-operations.js';
import { openMemory, type OpenMemory } from './memory-schema.js';
import type { MemoryTask, MemoryTaskResult } from './memory-task.js';

const file = String(workerData);
let memory: OpenMemory | null = null;

function perform(task: MemoryTask): MemoryTaskResult {
  memory ??= openMemory(file);
  switch (task.kind) {
    case 'open':
      return { kind: 'opened', isNew: memory.isNew };
    case 'put':
      putEntries(memory.connection, task.entries);
      return { kind: 'done' };
    case 'search':
      return { kind: 'found', hits: search(memory.connection, task) };
    case 'remove-runs':
      removeRuns(memory.connection, task.runIds);
      return { kind: 'done' };
  }
}

serve({ handle: perform, close: () => memory?.connection.close() });
