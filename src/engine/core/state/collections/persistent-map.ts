import { Map } from 'immutable';

/** Up to so many entries are found faster sequentially than by their hashes. */
const FEW = 8;

/**
 * A map of which every version stays as it is. Most runs have one scope, one wait and a handful of keys: so few entries
 * are a chain, the newest first, of which a new version is one link that shares the others. More of them are a hash trie,
 * so that a change costs the same however many there are.
 *
 * Each object is the newest link of a chain, or the holder of a trie, or the empty map. The order of entries depends on
 * how a map came to be; in a chain they stand as they were last set, the oldest first.
 */
export class PersistentMap<K extends string | number, V> implements Iterable<readonly [K, V]> {
  private static readonly EMPTY = new PersistentMap<never, never>(undefined, undefined, 0, null, null);

  private constructor(
    private readonly key: K | undefined,
    private readonly value: V | undefined,
    /** How many links the chain has. */
    private readonly links: number,
    /** The links before this one, down to the empty map. */
    private readonly older: PersistentMap<K, V> | null,
    private readonly trie: Map<K, V> | null,
  ) {}

  static empty<K extends string | number, V>(): PersistentMap<K, V> {
    return PersistentMap.EMPTY as unknown as PersistentMap<K, V>;
  }

  static of<K extends string | number, V>(entries: Iterable<readonly [K, V]>): PersistentMap<K, V> {
    const list = [...entries];
    if (list.length > FEW) return PersistentMap.holding(Map(list)).asImmutable();
    let map = PersistentMap.empty<K, V>();
    for (const [key, value] of list) map = map.set(key, value);
    return map;
  }

  private static linked<K extends string | number, V>(key: K, value: V, older: PersistentMap<K, V>) {
    return new PersistentMap<K, V>(key, value, older.links + 1, older, null);
  }

  private static holding<K extends string | number, V>(trie: Map<K, V>) {
    return new PersistentMap<K, V>(undefined, undefined, 0, null, trie);
  }

  get size(): number {
    return this.trie === null ? this.links : this.trie.size;
  }

  get(key: K): V | undefined {
    return this.trie === null ? PersistentMap.linkIn(this, key)?.value : this.trie.get(key);
  }

  has(key: K): boolean {
    return this.trie === null ? PersistentMap.linkIn(this, key) !== null : this.trie.has(key);
  }

  set(key: K, value: V): PersistentMap<K, V> {
    if (this.trie !== null) return this.with(this.trie.set(key, value));
    const others = this.without(key);
    if (others.links < FEW) return PersistentMap.linked(key, value, others);
    return PersistentMap.holding(others.asTrie().set(key, value));
  }

  delete(key: K): PersistentMap<K, V> {
    return this.trie === null ? this.without(key) : this.with(this.trie.delete(key));
  }

  /** Sets what `change` makes of the entry, or of `unset` where there is none. */
  update(key: K, unset: V, change: (value: V) => V): PersistentMap<K, V> {
    return this.set(key, change(this.get(key) ?? unset));
  }

  /** This map with the entries of the other one set. */
  merge(other: PersistentMap<K, V>): PersistentMap<K, V> {
    if (this.size === 0) return other;
    if (other.trie !== null) return PersistentMap.holding(this.asTrie().merge(other.trie));
    return other.chain().reduce<PersistentMap<K, V>>((merged, [key, value]) => merged.set(key, value), this);
  }

  map<W>(change: (value: V, key: K) => W): PersistentMap<K, W> {
    if (this.trie !== null) return PersistentMap.holding(this.trie.map(change));
    if (this.older === null) return PersistentMap.empty();
    return PersistentMap.linked(
      this.key as K,
      change(this.value as V, this.key as K),
      this.older.map(change),
    );
  }

  clear(): PersistentMap<K, V> {
    return PersistentMap.empty();
  }

  some(test: (value: V, key: K) => boolean): boolean {
    for (const [key, value] of this) if (test(value, key)) return true;
    return false;
  }

  forEach(visit: (value: V, key: K) => void): void {
    if (this.trie === null) this.visitChain(visit);
    else this.trie.forEach((value, key) => visit(value, key));
  }

  [Symbol.iterator](): Iterator<readonly [K, V]> {
    return this.entries()[Symbol.iterator]();
  }

  entries(): Iterable<readonly [K, V]> {
    return this.trie === null ? this.chain() : this.trie.entries();
  }

  keys(): Iterable<K> {
    return this.trie === null ? this.chain().map(([key]) => key) : this.trie.keys();
  }

  values(): Iterable<V> {
    return this.trie === null ? this.chain().map(([, value]) => value) : this.trie.values();
  }

  /** A private copy that `set` and `delete` change in place, until `asImmutable`: for many changes at once. */
  asMutable(): PersistentMap<K, V> {
    return PersistentMap.holding(this.asTrie().asMutable());
  }

  asImmutable(): PersistentMap<K, V> {
    const { trie } = this;
    if (trie === null) return this;
    const kept = trie.asImmutable();
    return kept.size <= FEW ? PersistentMap.of(kept.entries()) : this.with(kept);
  }

  private with(trie: Map<K, V>): PersistentMap<K, V> {
    if (trie === this.trie) return this;
    return trie.size === 0 ? PersistentMap.empty() : PersistentMap.holding(trie);
  }

  private asTrie(): Map<K, V> {
    return this.trie ?? Map(this.chain());
  }

  /** The entries of a chain, the oldest first. */
  private chain(): readonly (readonly [K, V])[] {
    const entries: (readonly [K, V])[] = [];
    this.visitChain((value, key) => {
      entries.push([key, value]);
    });
    return entries;
  }

  private visitChain(visit: (value: V, key: K) => void): void {
    if (this.older === null) return;
    this.older.visitChain(visit);
    visit(this.value as V, this.key as K);
  }

  private static linkIn<K extends string | number, V>(
    chain: PersistentMap<K, V>,
    key: K,
  ): PersistentMap<K, V> | null {
    let link: PersistentMap<K, V> | null = chain;
    while (link !== null && link.key !== key) link = link.older;
    return link;
  }

  /** The chain without a key; the same one where it does not have it. */
  private without(key: K): PersistentMap<K, V> {
    if (this.older === null) return this;
    if (this.key === key) return this.older;
    const older = this.older.without(key);
    return older === this.older ? this : PersistentMap.linked(this.key as K, this.value as V, older);
  }
}
