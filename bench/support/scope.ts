import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a part opened, closed again in the opposite order whatever happens. */
export class Scope {
  private readonly closers: (() => Promise<void> | void)[] = [];

  async use<Thing extends { stop(): Promise<void> }>(starting: Promise<Thing>): Promise<Thing> {
    const thing = await starting;
    this.closers.push(() => thing.stop());
    return thing;
  }

  /** A new empty folder. */
  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'flowgate-bench-'));
    this.closers.push(() => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }

  async close(): Promise<void> {
    for (const close of this.closers.toReversed()) await close();
  }
}

/** Does the work and closes what it opened. */
export async function scoped<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result> {
  const scope = new Scope();
  try {
    return await work(scope);
  } finally {
    await scope.close();
  }
}
