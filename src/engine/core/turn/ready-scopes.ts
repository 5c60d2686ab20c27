import type { ScopeId } from '../log/event-base.js';

/** Scopes whose thread may have something to do: each once, in the order in which they came. A turn mostly has one. */
export class ReadyScopes {
  private only: ScopeId | undefined;
  private many: Set<ScopeId> | null = null;
  /** The iterator is kept: a new one would pass over everything that was taken before. */
  private walk: Iterator<ScopeId> | null = null;

  get size(): number {
    return this.many === null ? Number(this.only !== undefined) : this.many.size;
  }

  add(scope: ScopeId): void {
    if (this.many !== null) this.many.add(scope);
    else if (this.only === undefined) this.only = scope;
    else if (this.only !== scope) this.many = new Set([this.only, scope]);
  }

  /** Removes and returns the first scope; undefined: there is none. Scopes that are added meanwhile come up, too. */
  take(): ScopeId | undefined {
    const { many, only } = this;
    if (many === null) {
      this.only = undefined;
      return only;
    }
    if (many.size === 0) return undefined;
    this.walk ??= many.values();
    let next = this.walk.next();
    if (next.done === true) next = (this.walk = many.values()).next();
    many.delete(next.value as ScopeId);
    return next.value as ScopeId;
  }

  /** The scopes that were not taken. */
  left(): readonly ScopeId[] {
    if (this.many !== null) return [...this.many];
    return this.only === undefined ? [] : [this.only];
  }
}
