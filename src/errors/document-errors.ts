import { faultLines } from './fault-lines.js';
import { FlowgateError } from './flowgate-error.js';

/** One thing that is wrong in a workflow, and where. A type, not an interface, so that it is an `ErrorDetail`. */
export type Fault = {
  /** JSON pointer into the document (or into the bindings); `''` is the whole text. */
  readonly path: string;
  /** Counts from 1; null when the fault is not in the YAML text (a binding). */
  readonly line: number | null;
  /** Counts from 1, in UTF-16 code units; null together with `line`. */
  readonly column: number | null;
  /** A sentence without its full stop that names the field and says what it must be. */
  readonly message: string;
};

/** No error carries more faults than this; the others show once these are mended. */
export const MAX_FAULTS = 100;

/**
 * The text of one fault: `The workflow is not valid at 12:5: spec.units[2].uses is required.` Of several: a first
 * line, and one line for each fault, at most twenty.
 */
export function faultSentence(opening: string, faults: readonly Fault[]): string {
  const [first] = faults;
  if (first === undefined) return `${opening}.`;
  if (faults.length === 1) {
    return `${opening}${positionOf(first)}: ${first.message}${first.message.endsWith('?') ? '' : '.'}`;
  }
  return `${opening}:\n${faultLines(faults.map(faultLine))}`;
}

/** The line of one fault: `at 12:5: spec.units[2].uses is required`. */
function faultLine(fault: Fault): string {
  const position = positionOf(fault);
  return position === '' ? fault.message : `${position.trimStart()}: ${fault.message}`;
}

function positionOf({ line, column }: Fault): string {
  return line === null ? '' : ` at ${line}:${column}`;
}

/**
 * An expression of a workflow gave no usable value, because of a missing field, wrong types, or a bound that it
 * exceeded.
 */
export class ExpressionError extends FlowgateError {
  readonly code = 'expression';

  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
  }
}

/** The text is not YAML, or the document violates the schema of the workflow language (interface, section 7). */
export class YamlValidationError extends FlowgateError {
  readonly code = 'yaml-validation';
  /** Every fault in the order of the text, at most 100. */
  declare readonly details: readonly Fault[];

  constructor(faults: readonly Fault[], options: { readonly cause?: unknown } = {}) {
    const details = faults.slice(0, MAX_FAULTS);
    super(faultSentence('The workflow is not valid', details), { ...options, details });
  }
}

/**
 * The document is well-formed and cannot be loaded: an unknown name, an expression that does not compile, a cycle, a
 * bad binding (interface, section 7).
 */
export class YamlLoadError extends FlowgateError {
  readonly code = 'yaml-load';
  /** Every fault, at most 100. */
  declare readonly details: readonly Fault[];

  constructor(faults: readonly Fault[], options: { readonly cause?: unknown } = {}) {
    const details = faults.slice(0, MAX_FAULTS);
    super(faultSentence('The workflow cannot be loaded', details), { ...options, details });
  }
}

/** A stored plan that this build cannot turn into a workflow, because a newer version wrote it or it is damaged. */
export class UnreadablePlanError extends FlowgateError {
  readonly code = 'unreadable-plan';

  /** `reason` is a clause about the plan (`it`), without its full stop. */
  static newer(reason: string): UnreadablePlanError {
    return new UnreadablePlanError(
      `The stored plan was written by a newer version of Flowgate (${reason}): start that version`,
    );
  }

  static damaged(reason: string, cause?: unknown): UnreadablePlanError {
    return new UnreadablePlanError(
      `The stored plan is damaged (${reason}): restore the data folder from a backup`,
      { cause },
    );
  }
}
