import type { Clock } from '../../../ports/clock.js';
import type { EngineLogger } from '../../../ports/logger.js';
import { endRoles, Role, type RoleWork } from '../../../scheduling/role.js';
import type { Anchor } from './anchor.js';
import { roleKey } from './lock-keys.js';

interface NamedRole {
  readonly name: string;
  readonly key: number;
  readonly work: RoleWork;
  /**
   * `waiting`: somebody else may have the lock. `locking`: it is being requested. `held`: the work runs, or came to its end by itself
   * and is not begun again. `ending`: the lock was lost, and the work of before has not ended yet.
   */
  state: 'waiting' | 'locking' | 'held' | 'ending';
  role: Role | null;
}

export interface RoleLocksOptions {
  /** For back-offs. */
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

/**
 * The roles of this engine, each of which is held by one replica: that which has its lock.
 *
 * 1. Work runs only while the session with the lock lives; when that ends, the work's signal fires.
 * 2. In this process the work of a role never runs twice at a time: what was lost is requested again once it has ended.
 */
export class RoleLocks {
  private readonly roles = new Map<string, NamedRole>();
  private isOver = false;

  constructor(private readonly options: RoleLocksOptions) {}

  add(name: string, work: RoleWork): void {
    if (this.roles.has(name)) throw new Error(`There is a role ${name} already: give this one another name.`);
    const key = roleKey(name);
    for (const other of this.roles.values()) {
      if (other.key !== key) continue;
      throw new Error(`The roles ${name} and ${other.name} have the same lock: give this one another name.`);
    }
    this.roles.set(name, { name, key, work, state: 'waiting', role: null });
  }

  /** Takes the roles that nobody has; `taken`: the keys that others hold, as far as that is known. Rejects as the session does. */
  async fill(anchor: Anchor, taken: ReadonlySet<number>): Promise<void> {
    if (this.isOver || !anchor.isAlive()) return;
    const all = [...this.roles.values()];
    const wanted = all.filter(({ state, key }) => state === 'waiting' && !taken.has(key));
    if (wanted.length === 0) return;
    for (const role of wanted) role.state = 'locking';
    let held: readonly number[] = [];
    try {
      held = await anchor.tryLocks(wanted.map(({ key }) => key));
    } finally {
      const isAlive = !this.isOver && anchor.isAlive();
      for (const role of wanted) {
        if (role.state !== 'locking') continue;
        role.state = 'waiting';
        if (isAlive && held.includes(role.key)) this.begin(role);
      }
    }
  }

  /** The session is over, and with it every lock. */
  lose(): void {
    for (const role of this.roles.values()) {
      if (role.state === 'locking') role.state = 'waiting';
      if (role.state !== 'held' || role.role === null || role.role.hasEnded) continue;
      role.state = 'ending';
      void role.role.end().then(() => {
        role.role = null;
        role.state = 'waiting';
      });
    }
  }

  /**
   * Ends the work of all, and waits at most 5 s. Resolves with the keys of the locks that may be given back: those of work that has
   * ended, each once.
   */
  async end(): Promise<readonly number[]> {
    const { clock, logger } = this.options;
    this.isOver = true;
    const all = [...this.roles.values()];
    await endRoles(
      all.flatMap(({ role }) => role ?? []),
      clock,
      logger,
    );
    const ended = all.filter(({ state, role }) => state === 'held' && role?.hasEnded === true);
    for (const role of ended) role.state = 'waiting';
    return ended.map(({ key }) => key);
  }

  private begin(named: NamedRole): void {
    const { clock, logger } = this.options;
    named.state = 'held';
    named.role = new Role(named.name, named.work, clock, logger);
  }
}
