import type { Fault } from '../../errors/fault.js';
import { YamlLoadError } from '../../errors/yaml-load-error.js';
import type { JsonPointer } from './json-pointer.js';
import type { PositionIndex } from './position-index.js';

/** The faults that the compiler finds, each with its place in the text. */
export class FaultList {
  readonly #faults: Fault[] = [];

  constructor(private readonly positions: PositionIndex) {}

  /** `message` is a sentence without its full stop that says what to do. */
  add(path: JsonPointer, message: string): void {
    this.#faults.push({ path, ...this.positions.at(path), message });
  }

  /** A fault that is not in the YAML text. */
  addOutside(path: string, message: string): void {
    this.#faults.push({ path, line: null, column: null, message });
  }

  throwIfAny(): void {
    if (this.#faults.length === 0) return;
    throw new YamlLoadError(
      this.#faults.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
    );
  }
}
