import { type Fault, YamlLoadError } from '../../errors/document-errors.js';
import { BoundsExceeded, type DocumentBounds, WORKFLOW_BOUNDS } from './document-bounds.js';
import type { DocumentWarning, WarningCode } from './document-warning.js';
import { CountedAllowance } from './expression/limits/allowance.js';
import type { DocumentContext } from './expression/compile.js';
import { type KnownUnits, type KnownVars, type OutputRead, unitsOf } from './expression/known-units.js';
import type { JsonPointer } from './reader/json-pointer.js';
import { nearNames } from './reader/near-names.js';
import type { PositionIndex } from './reader/positions/position-index.js';

/** Character comparisons for all the suggestions of one document: a second or so. */
const MAX_HINT_WORK = 5_000_000;

/** Of one document. */
export const MAX_WARNINGS = 20;

/** A position in a text that is a value of the document. */
interface PositionInText {
  readonly path: JsonPointer;
  readonly text: string;
  readonly offset: number;
}

/** The faults that the compiler finds, each with its source position, and what the document may still have. */
export class FaultList {
  readonly #allowance: CountedAllowance;
  #units: KnownUnits | null = null;
  readonly #faults: Fault[] = [];
  /** By their sentences. */
  readonly #warnings = new Map<string, DocumentWarning>();
  readonly #reads: OutputRead[] = [];
  #vars: ReadonlySet<string> = new Set();
  readonly #readVars = new Set<string>();
  #hintWork = 0;

  constructor(
    private readonly positions: PositionIndex,
    readonly bounds: DocumentBounds = WORKFLOW_BOUNDS,
  ) {
    this.#allowance = new CountedAllowance(bounds.expressions);
  }

  /** The context for the expressions of the value at `path`. */
  contextAt(path: JsonPointer): DocumentContext {
    const units = this.#units;
    if (units === null) return { allowance: this.#allowance, units };
    return {
      allowance: this.#allowance,
      units: unitsOf(units, (at) => ({ ...at, path: `${path}${at.path}` })),
    };
  }

  /** Whether the document's expressions exceed their allowance. */
  get isWithoutExpressions(): boolean {
    return this.#allowance.isUsedUp;
  }

  /** From now on, it is a fault when an expression reads any other unit than these. */
  knowUnits(ids: ReadonlySet<string>): void {
    this.#units = {
      has: (id) => ids.has(id),
      near: (id) => this.nearNames(id, ids)[0],
      ids: () => ids,
      warn: (at, message) => this.warn('never-there', at, message),
      read: (read) => void this.#reads.push(read),
      vars: this.#knownVars(),
    };
  }

  /** From now on, it is a fault when an expression reads any other var than these, to which more may be added. */
  knowVars(names: ReadonlySet<string>): void {
    this.#vars = names;
  }

  isVarRead(name: string): boolean {
    return this.#readVars.has(name);
  }

  #knownVars(): KnownVars {
    const names = (): ReadonlySet<string> => this.#vars;
    const readVars = this.#readVars;
    return {
      get isEmpty() {
        return names().size === 0;
      },
      has: (name) => names().has(name),
      near: (name) => this.nearNames(name, names())[0],
      read: (name) => void readVars.add(name),
      readAll: () => names().forEach((name) => readVars.add(name)),
    };
  }

  /** Whether checks that were added later apply to this document (decisions 0056 and 0093). */
  get isOfNewDocument(): boolean {
    return this.#units !== null;
  }

  /** What expressions read of the known units; the `path` of each points into the document. */
  get reads(): readonly OutputRead[] {
    return this.#reads;
  }

  get count(): number {
    return this.#faults.length;
  }

  /**
   * Takes a sentence about what is accepted but probably not meant, at a value or at a position inside a text; each is kept
   * once. False: there are as many as are reported.
   */
  warn(code: WarningCode, at: JsonPointer | PositionInText, message: string): boolean {
    if (this.#warnings.has(message)) return true;
    if (this.#warnings.size >= MAX_WARNINGS) return false;
    const path = typeof at === 'string' ? at : at.path;
    const position =
      typeof at === 'string' ? this.positions.at(at) : this.positions.within(at.path, at.text, at.offset);
    this.#warnings.set(message, { code, path, ...position, message });
    return true;
  }

  /** In the order in which they were found. */
  get warnings(): readonly DocumentWarning[] {
    return [...this.#warnings.values()];
  }

  locationOf(path: JsonPointer): Omit<Fault, 'message'> {
    return { path, ...this.positions.at(path) };
  }

  /** `message` is a sentence without its full stop that says what to do. */
  add(path: JsonPointer, message: string): void {
    this.#faults.push({ path, ...this.positions.at(path), message });
  }

  /** Adds a fault of a field's name. */
  addAtKey(path: JsonPointer, message: string): void {
    this.#faults.push({ path, ...this.positions.keyAt(path), message });
  }

  /** Adds a fault at a position inside a text of the document. */
  addWithin({ path, text, offset }: PositionInText, message: string): void {
    this.#faults.push({ path, ...this.positions.within(path, text, offset), message });
  }

  /** Adds a fault that is not in the YAML text. */
  addOutside(path: string, message: string): void {
    this.#faults.push({ path, line: null, column: null, message });
  }

  /** The known names that could have been meant; none once a document with very many faults has used up its share. */
  nearNames(name: string, known: Iterable<string>, limit = 1): readonly string[] {
    const names = [...known];
    const work = names.length * name.length ** 2;
    if (this.#hintWork + work > MAX_HINT_WORK) return [];
    this.#hintWork += work;
    return nearNames(name, names, limit);
  }

  /** For a document that exceeds its bounds: the faults found so far stay in the list. */
  stop(path: JsonPointer, message: string): never {
    this.add(path, message);
    throw new BoundsExceeded(path);
  }

  throwIfAny(): void {
    if (this.#faults.length === 0) return;
    throw new YamlLoadError(
      this.#faults.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
    );
  }
}
