import {
  type Alias,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  isAlias,
  isMap,
  isScalar,
  isSeq,
} from 'yaml';
import { type Fault, MAX_FAULTS } from '../../../../errors/document-errors.js';
import type { JsonValue } from '../../../core/json.js';
import { type JsonPointer, childPointer, readablePath } from '../json-pointer.js';
import { keyText } from '../positions/position-index.js';
import type { SourceText } from '../positions/source-text.js';
import { MAX_YAML_DEPTH } from './yaml-depth.js';

const MAX_ALIASES = 100;
/** How many values aliases may add to a document: 100 copies of a large one would still fill the memory. */
const MAX_ALIASED_VALUES = 100_000;

interface YamlValues {
  readonly value: JsonValue;
  /** What each alias stands for: the node that had its anchor when the alias was read. */
  readonly aliasTargets: ReadonlyMap<Alias, Node>;
  /** In the order of the text, at most 100. */
  readonly faults: readonly Fault[];
}

/** The JSON value of a syntax tree. What JSON cannot hold, or what would surprise its author, is a fault. */
export function yamlValues(source: SourceText, root: Node | null): YamlValues {
  const reader = new ValueReader(source);
  const value = reader.read(root, '', 0);
  return { value, aliasTargets: reader.aliasTargets, faults: reader.faults };
}

class ValueReader {
  readonly aliasTargets = new Map<Alias, Node>();
  readonly faults: Fault[] = [];
  readonly #source: SourceText;
  readonly #anchors = new Map<string, Node>();
  /** Anchored nodes that are being read: an alias to one of them would never end. */
  readonly #open = new Set<Node>();
  #aliases = 0;
  #aliasedValues = 0;
  #aliasDepth = 0;

  constructor(source: SourceText) {
    this.#source = source;
  }

  read(node: Node | null, pointer: JsonPointer, depth: number): JsonValue {
    if (node === null || this.faults.length >= MAX_FAULTS) return null;
    if (this.#aliasDepth > 0 && ++this.#aliasedValues > MAX_ALIASED_VALUES) {
      return this.#refuseOnce(
        node,
        pointer,
        this.#aliasedValues - MAX_ALIASED_VALUES,
        'takes more from aliases than a document may: write it out',
      );
    }
    if (isAlias(node)) return this.#readAlias(node, pointer, depth);
    if (isScalar(node)) {
      this.#register(node);
      return this.#readScalar(node, pointer);
    }
    if (depth >= MAX_YAML_DEPTH)
      return this.#refuse(node, pointer, `is nested deeper than ${MAX_YAML_DEPTH} levels: flatten it`);
    this.#register(node);
    this.#open.add(node);
    const value = isMap(node) ? this.#readMap(node, pointer, depth) : this.#readList(node, pointer, depth);
    this.#open.delete(node);
    return value;
  }

  #register(node: Node): void {
    // Inside an alias the anchors have been seen already, where they are written.
    if (this.#aliasDepth > 0 || isAlias(node) || !('anchor' in node)) return;
    if (typeof node.anchor === 'string') this.#anchors.set(node.anchor, node);
  }

  #readAlias(alias: Alias, pointer: JsonPointer, depth: number): JsonValue {
    const target = this.aliasTargets.get(alias) ?? this.#anchors.get(alias.source);
    if (target === undefined) {
      return this.#refuse(
        alias,
        pointer,
        `is the alias \`*${alias.source}\`, and no anchor \`&${alias.source}\` stands before it`,
      );
    }
    if (this.#open.has(target)) {
      return this.#refuse(
        alias,
        pointer,
        `is the alias \`*${alias.source}\` inside what it stands for: it would never end`,
      );
    }
    if (++this.#aliases > MAX_ALIASES) {
      return this.#refuseOnce(
        alias,
        pointer,
        this.#aliases - MAX_ALIASES,
        `is one alias too many: a document may use ${MAX_ALIASES}`,
      );
    }
    this.aliasTargets.set(alias, target);
    this.#aliasDepth++;
    const value = this.read(target, pointer, depth);
    this.#aliasDepth--;
    return value;
  }

  #readMap(map: YAMLMap, pointer: JsonPointer, depth: number): JsonValue {
    const object = Object.create(null) as Record<string, JsonValue>;
    for (const pair of map.items) {
      const key = keyText(pair);
      const child = childPointer(pointer, key);
      const problem = keyProblem(pair, key, object);
      if (problem !== null) this.#refuse(pair.key as Node, child, problem);
      else object[key] = this.read(pair.value as Node | null, child, depth + 1);
      if (this.faults.length >= MAX_FAULTS) break;
    }
    return object;
  }

  #readList(node: Node, pointer: JsonPointer, depth: number): JsonValue {
    if (!isSeq(node)) return this.#refuse(node, pointer, 'is neither a value, a list nor a map');
    return node.items.map((item, index) =>
      this.read(item as Node | null, childPointer(pointer, index), depth + 1),
    );
  }

  #readScalar(scalar: Scalar, pointer: JsonPointer): JsonValue {
    const { value } = scalar;
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number') return this.#readNumber(scalar, value, pointer);
    if (typeof value !== 'string')
      return this.#refuse(scalar, pointer, 'is not text, a number, true, false or null');
    if (!value.isWellFormed())
      return this.#refuse(scalar, pointer, 'holds half of a character (a lone surrogate): remove it');
    return value;
  }

  #readNumber(scalar: Scalar, value: number, pointer: JsonPointer): JsonValue {
    if (!Number.isFinite(value)) {
      return this.#refuse(
        scalar,
        pointer,
        'is not a finite number: JSON has no infinity and no NaN, so write it in quotes',
      );
    }
    const isWritten = /^[-+]?(?:[0-9]+|0x[0-9a-f]+|0o[0-7]+)$/i.test(scalar.source ?? '');
    if (isWritten && !Number.isSafeInteger(value)) {
      return this.#refuse(scalar, pointer, 'is too large a number to be kept exactly: write it in quotes');
    }
    // JSON would lose the sign of a zero on its way through the store.
    return value === 0 ? 0 : value;
  }

  #refuse(node: Node, pointer: JsonPointer, problem: string): null {
    const position = this.#source.positionAt(node.range?.[0] ?? 0);
    this.faults.push({ path: pointer, ...position, message: `${readablePath(pointer)} ${problem}` });
    return null;
  }

  #refuseOnce(node: Node, pointer: JsonPointer, count: number, problem: string): null {
    return count === 1 ? this.#refuse(node, pointer, problem) : null;
  }
}

function keyProblem(pair: Pair, key: string, object: Readonly<Record<string, JsonValue>>): string | null {
  if (key === '__proto__') return 'is a name that is refused everywhere: choose another';
  if (key === '<<' && isScalar(pair.key) && pair.key.type === 'PLAIN') {
    return 'is a merge key, which YAML 1.2 does not have: write the fields out, or put the name in quotes';
  }
  if (!key.isWellFormed()) return 'has half of a character (a lone surrogate) in its name: remove it';
  return key in object ? 'is there twice: keep one of the two' : null;
}
