/** Remembers, by key, values that something else holds anyway. Beyond `most` keys, those that were set longest ago go. */
export class WeakCache<Value extends object> {
  private readonly known = new Map<string, WeakRef<Value>>();

  constructor(private readonly most: number) {}

  get(key: string): Value | undefined {
    return this.known.get(key)?.deref();
  }

  set(key: string, value: Value): void {
    this.known.delete(key);
    this.known.set(key, new WeakRef(value));
    for (const oldest of this.known.keys()) {
      if (this.known.size <= this.most) break;
      this.known.delete(oldest);
    }
  }
}
