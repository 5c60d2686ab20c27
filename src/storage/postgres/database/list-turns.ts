import { Semaphore } from '../../../engine/scheduling/semaphore.js';

interface Turns {
  readonly slots: Semaphore;
  /** How many read a list, or wait for that. */
  readers: number;
}

/**
 * Lets the lists of one namespace have so many connections at once, and its further ones wait for these: however slow the lists of a
 * namespace are, and however many, connections are left for those of others.
 */
export class ListTurns {
  private readonly namespaces = new Map<string, Turns>();

  constructor(private readonly atOnce: number) {}

  async run<Result>(namespace: string, read: () => Promise<Result>): Promise<Result> {
    const turns = this.namespaces.get(namespace) ?? { slots: new Semaphore(this.atOnce), readers: 0 };
    this.namespaces.set(namespace, turns);
    turns.readers += 1;
    try {
      return await turns.slots.run(read);
    } finally {
      turns.readers -= 1;
      if (turns.readers === 0) this.namespaces.delete(namespace);
    }
  }
}
