import type { ErrorObject, SchemaObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonPointer } from './json-pointer.js';
import { type SchemaNode, workflowSchema } from './schema.js';

/**
 * The schema is checked in pieces: the document without its units and flows, each unit, each flow without the
 * flows inside it. A piece is small, so that
 * 1. collecting all errors stays linear (a validator that recurses copies its errors at every level),
 * 2. no depth of flows can overflow the stack,
 * 3. checking can end as soon as there are enough faults.
 */
export type Piece = 'document' | 'unit' | 'flow';

/** A place inside a piece where another piece begins. */
export interface Opening {
  readonly piece: 'unit' | 'flow';
  readonly pointer: JsonPointer;
  readonly value: unknown;
}

interface PieceResult {
  /** Pointers in these are relative to the piece. */
  readonly errors: readonly ErrorObject[];
  readonly openings: readonly Opening[];
}

const OPENING = 'flowgatePiece';
const PIECES_ID = 'urn:flowgate:schema:workflow:v1:pieces';
const PIECE_REFS: Readonly<Record<string, Opening['piece']>> = {
  '#/$defs/unit': 'unit',
  '#/$defs/flow': 'flow',
};

/** Checks one value against one piece of the schema. */
export class SchemaPieces {
  readonly #validators: Readonly<Record<Piece, ValidateFunction>>;
  #openings: Opening[] = [];

  constructor() {
    // `ownProperties`: a field named `constructor` is not there just because every object inherits one.
    const ajv = new Ajv2020({ allErrors: true, verbose: true, strictTypes: false, ownProperties: true });
    ajv.addKeyword({
      keyword: OPENING,
      errors: false,
      validate: (
        piece: Opening['piece'],
        value: unknown,
        _parent?: unknown,
        at?: { instancePath: string },
      ) => {
        this.#openings.push({ piece, pointer: at?.instancePath ?? '', value });
        return true;
      },
    });
    ajv.addSchema(cutIntoPieces(workflowSchema()), PIECES_ID);
    this.#validators = {
      document: ajv.compile({ $ref: PIECES_ID }),
      unit: ajv.compile({ $ref: `${PIECES_ID}#/$defs/unit` }),
      flow: ajv.compile({ $ref: `${PIECES_ID}#/$defs/flow` }),
    };
  }

  check(piece: Piece, value: unknown): PieceResult {
    const validate = this.#validators[piece];
    this.#openings = [];
    validate(value);
    return { errors: validate.errors ?? [], openings: this.#openings };
  }
}

/** A copy of the schema in which every reference to a unit or a flow only notes that one stands there. */
function cutIntoPieces(schema: SchemaNode): SchemaObject {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === '$id') return undefined;
    if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
    const piece = typeof value.$ref === 'string' ? PIECE_REFS[value.$ref] : undefined;
    return piece === undefined ? value : { [OPENING]: piece };
  }) as SchemaObject;
}
