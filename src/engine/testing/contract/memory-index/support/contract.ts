import type { MemoryEntry, MemoryIndex } from '../../../../ports/memory/memory-index.js';

/** What a contract file sees: the empty memory of the test that runs. */
export interface MemoryIndexHarness {
  readonly memory: MemoryIndex;
}

export interface MemoryUnderTest {
  readonly memory: MemoryIndex;
  dispose(): Promise<void>;
}

export function sampleEntry(id: string, content: string, runId = 'run-1'): MemoryEntry {
  return {
    id,
    content,
    metadata: { workflowId: 'invoices', runId, unitId: 'extract', at: 1_790_000_000_000 },
  };
}
