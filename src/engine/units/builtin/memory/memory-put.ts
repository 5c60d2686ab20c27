import type { JsonObject, JsonValue } from '../../../core/json.js';
import { DEFAULT_NAMESPACE } from '../../../core/namespace.js';
import type { Clock } from '../../../ports/clock.js';
import type { MemoryEntry, MemoryIndex } from '../../../ports/memory/memory-index.js';
import type { ExecuteOptions, UnitOutcome, UnitExecutor, UnitRequest } from '../../../ports/unit-executor.js';
import { interpretResult } from '../../outcome.js';
import { memoryFailed, wrongSetting } from './memory-failures.js';

const USES = 'builtin.memory-put';
/** The most that the memory keeps of a unit's output, in UTF-16 code units. */
const MAX_CONTENT_CHARS = 16_384;
/** The limit of the author's metadata as JSON, in UTF-16 code units. */
const MAX_METADATA_CHARS = 4_096;

/**
 * `builtin.memory-put`: keeps `content` (a text, or a value as its JSON text) with `metadata` in the memory of the run's
 * namespace; its output is `{ id }`. The id derives from the execution: an entry that is put again after a crash replaces
 * itself.
 *
 * Content that is too long is refused, whereas an output that is remembered automatically is truncated: here the author
 * wants all of it kept.
 */
export function memoryPut(memory: Pick<MemoryIndex, 'put'>, clock: Pick<Clock, 'wallTime'>): UnitExecutor {
  return {
    execute: async (request: UnitRequest, { idempotencyKey }: ExecuteOptions): Promise<UnitOutcome> => {
      const { content, metadata = null } = request.context.config;
      const text = textOf(content);
      const problem = problemOfContent(text) ?? problemOfMetadata(metadata);
      if (problem !== null) return wrongSetting(USES, problem);
      const entry: MemoryEntry = {
        // Not the key itself: where the unit's output is remembered as well, that entry would replace this one.
        id: `${idempotencyKey}:put`,
        content: text,
        metadata: metadataOf(request, metadata as JsonObject | null, clock.wallTime()),
      };
      try {
        await memory.put({ entries: [entry] });
      } catch (error) {
        return memoryFailed('written', error);
      }
      return interpretResult({ content: { id: entry.id } });
    },
  };
}

/** Empty where there is nothing to put. */
function textOf(content: JsonValue | undefined): string {
  if (content === undefined || content === null) return '';
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function problemOfContent(text: string): string | null {
  if (text === '') return 'content is empty: give it the text, or the value, that is to be found again';
  if (text.length <= MAX_CONTENT_CHARS) return null;
  return `content is ${text.length} characters long, and an entry has at most ${MAX_CONTENT_CHARS}: put a summary of it, or parts of it one by one`;
}

function problemOfMetadata(metadata: JsonValue): string | null {
  if (metadata === null) return null;
  if (typeof metadata !== 'object' || Array.isArray(metadata))
    return 'metadata must be an object: write its fields one by one';
  const { length } = JSON.stringify(metadata);
  if (length <= MAX_METADATA_CHARS) return null;
  return `metadata is ${length} characters long as JSON, and may have ${MAX_METADATA_CHARS}: what is to be found again belongs into content`;
}

/** Our fields win: they say who put the entry, which searches find it, and with which run it is forgotten. */
function metadataOf({ context }: UnitRequest, given: JsonObject | null, at: number): JsonObject {
  const { workflowId, runId, unitId, namespace = DEFAULT_NAMESPACE } = context;
  const { namespace: _theirs, ...own } = given ?? {};
  const metadata: JsonObject = { ...own, workflowId, runId, unitId, at };
  return namespace === DEFAULT_NAMESPACE ? metadata : { ...metadata, namespace };
}
