import type { Fault } from '../../../errors/document-errors.js';
import type { InputFault } from '../../language/input/validator.js';
import type { TextPosition } from '../../language/reader/positions/source-text.js';
import type { CheckedDocument, CompiledDocument, DocumentJob } from '../compile-document.js';
import type { Side } from './compared-lines.js';
import type { UnitContents } from './compared-units.js';
import type { SoughtNode } from './place-in-document.js';

/** A job that the event loop hands to a thread: plain data, so that it can cross. */
export type Job = DocumentsJob | FollowJob;

/** Replays an export with today's engine, in a thread of its own (`runtime/transfer/replay`). */
export interface FollowJob {
  readonly kind: 'follow';
  /** The export, as it was sent. */
  readonly ndjson: Uint8Array;
  /** The plan as it is stored. */
  readonly plan: string;
  /** The state of the run that it is a fork of, encoded, as JSON; null: it is no fork, or begins from the start. */
  readonly source: string | null;
}

/** A job about documents or inputs. */
export type DocumentsJob =
  | { readonly kind: 'compile'; readonly document: DocumentJob }
  /** As `compile`, but the plan stays in the thread: reading a large one blocks the event loop for a tenth of a second. */
  | { readonly kind: 'check'; readonly document: DocumentJob }
  /** `spec.input` and the input, both as JSON: one text costs a fraction of what a tree of objects costs to hand over. */
  | { readonly kind: 'check-input'; readonly schema: string; readonly input: string }
  /** Reads the units of an accepted document. */
  | { readonly kind: 'read-units'; readonly yaml: string }
  /** Finds a node in an accepted document. */
  | ({ readonly kind: 'locate' } & SoughtNode)
  | { readonly kind: 'compare-lines'; readonly from: Side; readonly to: Side };

export type JobResult =
  /** The plan as it is stored; it is read here as one that comes from the store. */
  | ({ readonly kind: 'compiled' } & Pick<CompiledDocument, 'text' | 'warnings' | 'children'>)
  | { readonly kind: 'accepted'; readonly checked: CheckedDocument }
  | { readonly kind: 'refused'; readonly as: 'validation' | 'load'; readonly faults: readonly Fault[] }
  | { readonly kind: 'checked'; readonly faults: readonly InputFault[] }
  | { readonly kind: 'units'; readonly contents: UnitContents }
  | { readonly kind: 'located'; readonly place: TextPosition }
  /** Null: there is too much to compare. */
  | { readonly kind: 'compared'; readonly text: string | null }
  /** Null: every event follows from those before it. */
  | { readonly kind: 'followed'; readonly problem: string | null }
  /** An unforeseen error: a fault of this code. */
  | { readonly kind: 'failed'; readonly message: string };

/** The message of a thread that has loaded its code; from then on the time of its jobs counts. */
export const READY = 'ready';
