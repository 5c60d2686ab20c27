import type { BatchedStart } from '../../engine/index.js';
import type { RequestContext } from '../../http/identity/request-context.js';
import { ShapePipe } from '../../http/validation/shape.pipe.js';
import { unreadFields } from '../../http/validation/unread-fields.js';
import { BatchedStartDto } from '../dto/start-batch.dto.js';
import { BATCHED_START_WORDS, START_WITHOUT_INPUT } from '../dto/unread-words.js';

/** One item of a batch as it was read: what to start, and what of it nobody reads; or what is wrong with its shape. */
export type BatchedItem =
  | { readonly ok: true; readonly start: BatchedStart; readonly unread: readonly string[] }
  | { readonly ok: false; readonly error: unknown };

const NO_SYNC =
  'is not for a batch, which is answered as its runs begin: leave it out, and read or watch the runs';

const shape = new ShapePipe(BatchedStartDto, null, (name) => (name === 'sync' ? NO_SYNC : null));

/** The item is read as the body of a start by itself is, and refused in its words. */
export function batchedItem(given: unknown, context: RequestContext): BatchedItem {
  try {
    const { input, labels, idempotencyKey } = shape.transform(given, context);
    const ofOthers = input === undefined ? START_WITHOUT_INPUT : null;
    const unread = unreadFields(
      { given, known: shape.fields, words: BATCHED_START_WORDS, ofOthers },
      context,
    );
    return { ok: true, start: { input, labels, idempotencyKey } as BatchedStart, unread };
  } catch (error) {
    return { ok: false, error };
  }
}

/** What is wrong with a field beside `runs`: a batch has no other, so that nothing is taken for what all runs have. */
export function refusedBeside(name: string): string {
  if (name === 'sync') return NO_SYNC;
  return shape.fields.includes(name)
    ? 'belongs to one run: send it with each of runs'
    : 'is no field of this body, which has runs alone: leave it out';
}
