import type { Clock } from '../../../ports/clock.js';
import type { MemoryIndex } from '../../../ports/memory/memory-index.js';
import type { UnitExecutor } from '../../../ports/unit-executor.js';
import { memoryPut } from './memory-put.js';
import { memorySearch, type SearchMemory } from './memory-search.js';

/** The built-ins that use the service's own memory, by `uses`. */
export function memoryUnits(
  memory: MemoryIndex,
  search: SearchMemory,
  clock: Clock,
): ReadonlyMap<string, UnitExecutor> {
  return new Map([
    ['builtin.memory-search', memorySearch(search)],
    ['builtin.memory-put', memoryPut(memory, clock)],
  ]);
}
