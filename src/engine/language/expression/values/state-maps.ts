import type { CelMap, CelValue } from '@bufbuild/cel';
import type { StateView } from '../../../core/plan/expression.js';
import { KEY_WORK } from '../limits/bounds.js';
import { chargeWork } from '../limits/budget.js';
import { asMap } from './brand.js';
import { celOf } from './json-values.js';
import { KeyedMap } from './keyed-map.js';

/** `state`: the whole shared state, looked up key by key. */
export function stateMap(state: StateView): CelMap {
  return asMap(new StateMap(state, ''));
}

/** `outputs`, `errors`: the keys of the state that begin with the prefix, without it; unit ids, looked up in NFC. */
export function prefixedStateMap(state: StateView, prefix: string): CelMap {
  return asMap(new StateMap(state, prefix));
}

class StateMap extends KeyedMap {
  /** The keys, listed once per evaluation: listing is the one operation that costs as much as the state is large. */
  private allKeys: readonly string[] | undefined;

  constructor(
    private readonly state: StateView,
    private readonly prefix: string,
  ) {
    super();
  }

  protected lookUp(key: string): CelValue | undefined {
    const value = this.state.get(this.stateKey(key));
    return value === undefined ? undefined : celOf(value);
  }

  override has(key: unknown): boolean {
    return typeof key === 'string' && this.state.has(this.stateKey(key));
  }

  private stateKey(key: string): string {
    return this.prefix === '' ? key : this.prefix + key.normalize('NFC');
  }

  protected listKeys(): readonly string[] {
    this.allKeys ??= this.readKeys();
    return this.allKeys;
  }

  private readKeys(): readonly string[] {
    const { prefix } = this;
    const keys: string[] = [];
    for (const key of this.state.keys()) {
      chargeWork(KEY_WORK);
      if (key.startsWith(prefix)) keys.push(key.slice(prefix.length));
    }
    return keys;
  }
}
