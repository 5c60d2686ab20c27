import type { Fault } from '../../../errors/document-errors.js';
import type { InputFault } from '../../language/input/validator.js';
import type { CheckedDocument, DocumentJob } from '../compile-document.js';
import type { Side } from '../versions/compared-lines.js';
import type { UnitContents } from '../versions/compared-units.js';

/** What the event loop gives away: plain data, so that it crosses to a thread. */
export type Job = DocumentsJob | FollowJob;

/** To go through an export with today's engine, in a thread of its own (`runtime/transfer/replay`). */
export interface FollowJob {
  readonly kind: 'follow';
  /** As it was sent. */
  readonly ndjson: Uint8Array;
  /** The plan as it is stored. */
  readonly plan: string;
  /** Of the run that it is a fork of, encoded, as JSON; null: it is none, or begins anew. */
  readonly source: string | null;
}

/** Of documents, and of inputs. */
export type DocumentsJob =
  | { readonly kind: 'compile'; readonly document: DocumentJob }
  /** As to compile it, but its plan stays there: to read a large one takes the event loop a tenth of a second. */
  | { readonly kind: 'check'; readonly document: DocumentJob }
  /** `spec.input` and the input, both as JSON: one text costs a fraction of what a tree of objects costs to hand over. */
  | { readonly kind: 'check-input'; readonly schema: string; readonly input: string }
  /** Of an accepted document. */
  | { readonly kind: 'read-units'; readonly yaml: string }
  | { readonly kind: 'compare-lines'; readonly from: Side; readonly to: Side };

export type JobAnswer =
  /** The plan as it is stored: it is read here as it is when it comes out of the store. */
  | { readonly kind: 'compiled'; readonly text: string; readonly warnings: readonly string[] }
  | { readonly kind: 'accepted'; readonly checked: CheckedDocument }
  | { readonly kind: 'refused'; readonly as: 'validation' | 'load'; readonly faults: readonly Fault[] }
  | { readonly kind: 'checked'; readonly faults: readonly InputFault[] }
  | { readonly kind: 'units'; readonly contents: UnitContents }
  /** Null: too much to be compared. */
  | { readonly kind: 'compared'; readonly text: string | null }
  /** Null: every event follows from those before it. */
  | { readonly kind: 'followed'; readonly problem: string | null }
  /** Nobody foresaw it: a fault of ours. */
  | { readonly kind: 'failed'; readonly message: string };

/** What a thread says once it has loaded its code: from then on the time of its jobs counts. */
export const READY = 'ready';
