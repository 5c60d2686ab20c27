import type { CelList, CelMap, CelValue } from '@bufbuild/cel';
import type { JsonObject, JsonValue } from '../../../core/json.js';
import { KEY_WORK } from '../limits/bounds.js';
import { chargeWork } from '../limits/budget.js';
import { KeyedMap } from './keyed-map.js';
import { SizedList } from './sized-list.js';
import { asList, asMap } from './brand.js';

/** A JSON value as CEL sees it. Nothing is converted before it is looked at; numbers are doubles. */
export function celOf(json: JsonValue): CelValue {
  if (typeof json !== 'object' || json === null) return json;
  return Array.isArray(json) ? asList(new JsonList(json)) : celOfObject(json as JsonObject);
}

export function celOfObject(json: JsonObject): CelMap {
  return asMap(new JsonMap(json));
}

/** The JSON behind the value, when it came from JSON as it is. */
export function jsonBehind(value: CelList | CelMap): JsonValue | undefined {
  return value instanceof JsonList || value instanceof JsonMap ? value.json : undefined;
}

class JsonList extends SizedList {
  constructor(readonly json: readonly JsonValue[]) {
    super();
  }

  get size(): number {
    return this.json.length;
  }

  protected at(index: number): CelValue {
    return celOf(this.json[index] ?? null);
  }
}

class JsonMap extends KeyedMap {
  private allKeys: readonly string[] | undefined;

  constructor(readonly json: JsonObject) {
    super();
  }

  protected lookUp(key: string): CelValue | undefined {
    if (!Object.hasOwn(this.json, key)) return undefined;
    const value = this.json[key];
    return value === undefined ? undefined : celOf(value);
  }

  override has(key: unknown): boolean {
    return typeof key === 'string' && Object.hasOwn(this.json, key) && this.json[key] !== undefined;
  }

  protected listKeys(): readonly string[] {
    if (this.allKeys === undefined) {
      this.allKeys = Object.keys(this.json);
      chargeWork(this.allKeys.length * KEY_WORK);
    }
    return this.allKeys;
  }
}
