import { type Alias, type Node, type Pair, type YAMLMap, isAlias, isMap, isScalar, isSeq } from 'yaml';
import { type JsonPointer, pointerTokens } from '../json-pointer.js';
import { positionInScalar } from './position-in-scalar.js';
import type { SourceText, TextPosition } from './source-text.js';

interface Found {
  readonly node: Node | null;
  readonly keyOffset: number;
  readonly valueOffset: number;
}

/** The source positions of a document's values in its YAML text. Each is looked up when it is needed. */
export class PositionIndex {
  readonly #source: SourceText;
  readonly #root: Node | null;
  readonly #aliasTargets: ReadonlyMap<Alias, Node>;
  /** The pairs of each map by key, built when a pointer first leads through the map. */
  readonly #pairs = new Map<YAMLMap, ReadonlyMap<string, Pair>>();

  constructor(source: SourceText, root: Node | null, aliasTargets: ReadonlyMap<Alias, Node>) {
    this.#source = source;
    this.#root = root;
    this.#aliasTargets = aliasTargets;
  }

  /** The position where the value begins. A missing value has the position of the nearest one around it that exists. */
  at(pointer: JsonPointer): TextPosition {
    return this.#source.positionAt(this.#find(pointer).valueOffset);
  }

  /**
   * The position of a character of a text, in whatever style the text is written. Where that cannot be found out (the text
   * is copied by an alias), the position where the text begins.
   */
  within(pointer: JsonPointer, text: string, offset: number): TextPosition {
    const { node, valueOffset } = this.#find(pointer);
    const at = isScalar(node) ? positionInScalar(this.#source.text, node, text, offset) : null;
    return this.#source.positionAt(at ?? valueOffset);
  }

  /** The position where the name of the field begins; for the entry of a list, where its value begins. */
  keyAt(pointer: JsonPointer): TextPosition {
    return this.#source.positionAt(this.#find(pointer).keyOffset);
  }

  #find(pointer: JsonPointer): Found {
    let node = this.#root;
    let valueOffset = startOf(node) ?? 0;
    let keyOffset = valueOffset;
    for (const token of pointerTokens(pointer)) {
      const step = this.#step(node, token);
      if (step === null) return { node: null, keyOffset: valueOffset, valueOffset };
      keyOffset = step.keyOffset;
      valueOffset = step.valueOffset;
      node = step.node;
    }
    return { node, keyOffset, valueOffset };
  }

  #step(parent: Node | null, token: string): Found | null {
    const container = isAlias(parent) ? this.#aliasTargets.get(parent) : parent;
    if (isSeq(container)) {
      const node = container.items[Number(token)] as Node | undefined;
      const offset = startOf(node);
      return node === undefined || offset === null ? null : { node, keyOffset: offset, valueOffset: offset };
    }
    if (!isMap(container)) return null;
    const pair = this.#pairsOf(container).get(token);
    if (pair === undefined) return null;
    const node = pair.value as Node | null;
    const keyOffset = startOf(pair.key as Node | null) ?? 0;
    // A value that is not written (`spec:` and nothing) is shown at its name.
    return { node, keyOffset, valueOffset: isUnwritten(node) ? keyOffset : (startOf(node) ?? keyOffset) };
  }

  #pairsOf(map: YAMLMap): ReadonlyMap<string, Pair> {
    let pairs = this.#pairs.get(map);
    if (pairs === undefined) {
      pairs = new Map(map.items.map((pair) => [keyText(pair), pair]));
      this.#pairs.set(map, pairs);
    }
    return pairs;
  }
}

/** The name of a field; keys are scalars, read as text. */
export function keyText(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : '';
}

function isUnwritten(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.value === null && (node.source ?? '') === '');
}

function startOf(node: Node | null | undefined): number | null {
  return node?.range?.[0] ?? null;
}
