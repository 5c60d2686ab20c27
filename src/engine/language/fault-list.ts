import { type Fault, YamlLoadError } from '../../errors/document-errors.js';
import { BeyondBounds, type DocumentBounds, WORKFLOW_BOUNDS } from './document-bounds.js';
import { CountedAllowance } from './expression/allowance.js';
import type { DocumentContext } from './expression/compile.js';
import type { KnownUnits, OutputRead } from './expression/known-units.js';
import type { JsonPointer } from './reader/json-pointer.js';
import { nearNames } from './reader/near-names.js';
import type { PositionIndex } from './reader/position-index.js';

/** Characters compared with characters for all the near names of one document: a second or so. */
const MAX_HINT_WORK = 5_000_000;

const MAX_WARNINGS = 20;

/** A place in a text that is a value of the document. */
interface PlaceInText {
  readonly path: JsonPointer;
  readonly text: string;
  readonly offset: number;
}

/** The faults that the compiler finds, each with its place in the text, and what the document may still have. */
export class FaultList {
  readonly #allowance: CountedAllowance;
  #units: KnownUnits | null = null;
  readonly #faults: Fault[] = [];
  readonly #warnings = new Set<string>();
  readonly #reads: OutputRead[] = [];
  #hintWork = 0;

  constructor(
    private readonly positions: PositionIndex,
    readonly bounds: DocumentBounds = WORKFLOW_BOUNDS,
  ) {
    this.#allowance = new CountedAllowance(bounds.expressions);
  }

  /** For the expressions of the value at `path`. */
  contextAt(path: JsonPointer): DocumentContext {
    const units = this.#units;
    if (units === null) return { allowance: this.#allowance, units };
    const read = (found: OutputRead): void => units.read({ ...found, path: `${path}${found.path}` });
    return { allowance: this.#allowance, units: { ...units, read } };
  }

  /** The document has more of expressions than it may. */
  get isWithoutExpressions(): boolean {
    return this.#allowance.isUsedUp;
  }

  /** From now on what expressions read of other units than these is a fault. */
  knowUnits(ids: ReadonlySet<string>): void {
    this.#units = {
      has: (id) => ids.has(id),
      near: (id) => this.nearNames(id, ids)[0],
      ids: () => ids,
      warn: (message) => this.warn(message),
      read: (read) => void this.#reads.push(read),
    };
  }

  /** Whether what was only refused later is refused of this document (decisions 0056 and 0093). */
  get isOfNewDocument(): boolean {
    return this.#units !== null;
  }

  /** What expressions read of the units that are known; `path` of each is one into the document. */
  get reads(): readonly OutputRead[] {
    return this.#reads;
  }

  get count(): number {
    return this.#faults.length;
  }

  /** What is accepted and probably not meant; each sentence is kept once. */
  warn(message: string): void {
    if (this.#warnings.size < MAX_WARNINGS) this.#warnings.add(message);
  }

  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  /** `message` is a sentence without its full stop that says what to do. */
  add(path: JsonPointer, message: string): void {
    this.#faults.push({ path, ...this.positions.at(path), message });
  }

  /** A fault of the name of a field. */
  addAtKey(path: JsonPointer, message: string): void {
    this.#faults.push({ path, ...this.positions.keyAt(path), message });
  }

  /** A fault at a place inside of a text of the document. */
  addWithin({ path, text, offset }: PlaceInText, message: string): void {
    this.#faults.push({ path, ...this.positions.within(path, text, offset), message });
  }

  /** A fault that is not in the YAML text. */
  addOutside(path: string, message: string): void {
    this.#faults.push({ path, line: null, column: null, message });
  }

  /** The known names that could have been meant; none once a document with very many faults had its share. */
  nearNames(name: string, known: Iterable<string>, limit = 1): readonly string[] {
    const names = [...known];
    const work = names.length * name.length ** 2;
    if (this.#hintWork + work > MAX_HINT_WORK) return [];
    this.#hintWork += work;
    return nearNames(name, names, limit);
  }

  /** For a document that goes beyond its bounds: the faults until then stay in the list. */
  stop(path: JsonPointer, message: string): never {
    this.add(path, message);
    throw new BeyondBounds(path);
  }

  throwIfAny(): void {
    if (this.#faults.length === 0) return;
    throw new YamlLoadError(
      this.#faults.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
    );
  }
}
