import type { JsonObject, JsonValue } from '../../core/json.js';

/** What checking one value against a schema can cost, however the schema is made. */
export interface SchemaCost {
  /** The schema's parts once its references are followed; lists that are compared count with their length. */
  readonly parts: number;
  /** How many of these are references that lead back to where they stand, or to an unknown target. */
  readonly returns: number;
  /** Whether it looks at everything inside a list, at every list. */
  readonly comparesItems: boolean;
}

/** Keywords whose values contain no schema. */
const LITERAL = new Set(['const', 'enum', 'default', 'examples', 'required']);
const REFERENCES = new Set(['$ref', '$dynamicRef', '$recursiveRef']);
/** Characters of a literal that are compared in the time of one part. */
const CHARS_PER_PART = 16;
/** The errors of the alternatives are copied once for each, which matters only with very many. */
const ALTERNATIVES_PER_PART = 200;

/**
 * Counts the parts in the time of reading the schema once: what a reference leads to is counted once and multiplied,
 * so that references to references to references, twice each, are seen to be exponential without being followed.
 */
export function schemaCost(schema: JsonObject): SchemaCost {
  return new CostCounter(schema).all();
}

interface Count {
  readonly parts: number;
  readonly returns: number;
}

class CostCounter {
  private readonly counted = new Map<object, Count>();
  private readonly open = new Set<object>();
  private comparesItems = false;
  /** Whether the schema has an inner `$id`, by which a reference may lead elsewhere than its pointer says. */
  private hasInnerNames = false;

  constructor(private readonly schema: JsonObject) {
    this.hasInnerNames = holdsInnerName(schema);
  }

  all(): SchemaCost {
    const { parts, returns } = this.count(this.schema);
    return { parts, returns, comparesItems: this.comparesItems };
  }

  private count(value: JsonValue): Count {
    if (typeof value !== 'object' || value === null) return { parts: 1, returns: 0 };
    const known = this.counted.get(value);
    if (known !== undefined) return known;
    if (this.open.has(value)) return { parts: 1, returns: 1 };
    this.open.add(value);
    const count = Array.isArray(value) ? this.sum(value) : this.countObject(value as JsonObject);
    this.open.delete(value);
    this.counted.set(value, count);
    return count;
  }

  private countObject(object: JsonObject): Count {
    let { parts, returns } = this.sum(
      Object.entries(object)
        .filter(([key]) => !LITERAL.has(key))
        .map(([, member]) => member as JsonValue),
    );
    for (const [key, member] of Object.entries(object)) {
      if (key === 'uniqueItems' && member === true) this.comparesItems = true;
      if (LITERAL.has(key)) parts += 1 + JSON.stringify(member).length / CHARS_PER_PART;
      else if (Array.isArray(member)) parts += member.length ** 2 / ALTERNATIVES_PER_PART;
      else if (typeof member === 'string' && REFERENCES.has(key)) {
        const target = key === '$ref' ? this.targetOf(member) : undefined;
        const led = target === undefined ? { parts: 1, returns: 1 } : this.count(target);
        parts += led.parts;
        returns += led.returns;
      }
    }
    return { parts, returns };
  }

  private sum(members: readonly JsonValue[]): Count {
    let parts = 1;
    let returns = 0;
    for (const member of members) {
      const count = this.count(member);
      parts += count.parts;
      returns += count.returns;
    }
    return { parts, returns };
  }

  /** What a pointer into this schema leads to; undefined for every other reference. */
  private targetOf(reference: string): JsonValue | undefined {
    if (this.hasInnerNames || (reference !== '#' && !reference.startsWith('#/'))) return undefined;
    let target: JsonValue | undefined = this.schema;
    for (const token of tokensOf(reference)) {
      if (typeof target !== 'object' || target === null || !Object.hasOwn(target, token)) return undefined;
      target = (target as JsonObject)[token];
    }
    return target;
  }
}

function tokensOf(reference: string): readonly string[] {
  try {
    const pointer = decodeURIComponent(reference.slice(2));
    if (reference === '#') return [];
    return pointer.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return ['%'];
  }
}

/** Whether there is an `$id` below the top. */
function holdsInnerName(schema: JsonObject): boolean {
  const open: JsonValue[] = Object.values(schema) as JsonValue[];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (typeof (next as JsonObject)['$id'] === 'string') return true;
    for (const member of Object.values(next)) open.push(member as JsonValue);
  }
  return false;
}
