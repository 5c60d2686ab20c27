import type { ErrorObject } from 'ajv';
import type { JsonPointer } from './json-pointer.js';
import { document, flow, unit } from './precompiled-schema.js';

/**
 * The schema is checked in pieces: the document without its units and flows, each unit, each flow without the
 * flows inside it. A piece is small, so that
 * 1. collecting all errors stays linear (a validator that recurses copies its errors at every level),
 * 2. no depth of flows can overflow the stack,
 * 3. checking can end as soon as there are enough faults.
 */
export type Piece = 'document' | 'unit' | 'flow';

/** A location inside a piece where another piece begins. */
interface Opening {
  readonly piece: 'unit' | 'flow';
  readonly pointer: JsonPointer;
  readonly value: unknown;
}

interface PieceResult {
  /** Pointers in these are relative to the piece. */
  readonly errors: readonly ErrorObject[];
  readonly openings: readonly Opening[];
}

/** `this` is the list that takes the openings that it comes to. */
interface Check {
  (this: Opening[], value: unknown): boolean;
  errors?: readonly ErrorObject[] | null;
}

// Generated code has no types.
const CHECKS = { document, unit, flow } as unknown as Readonly<Record<Piece, Check>>;

/** Checks one value against one piece of the schema. */
export function checkPiece(piece: Piece, value: unknown): PieceResult {
  const check = CHECKS[piece];
  const openings: Opening[] = [];
  check.call(openings, value);
  return { errors: check.errors ?? [], openings };
}
