import type { Budget } from '../../core/turn/limits/budget.js';
import { SliceAccount, SliceScheduler } from './slice-scheduler.js';

const accountOf = (workflowId: string) => new SliceAccount({ namespace: 'default', owner: null, workflowId });

/** Turns with a clock that only work advances. */
class Loop {
  ms = 0;
  readonly order: string[] = [];
  readonly scheduler = new SliceScheduler(() => this.ms);

  /** Work that takes `ms`, recorded when it is done. */
  take(account: SliceAccount, name: string, ms: number): void | Promise<void> {
    return this.scheduler.take(account, () => {
      this.ms += ms;
      this.order.push(name);
    });
  }

  /** The first slice begins with the first work. */
  async begin(): Promise<void> {
    await this.take(accountOf('first'), 'first', 0);
    this.order.length = 0;
  }
}

describe('slices of the event loop', () => {
  it('begin at once while nothing waits, and yield to the event loop after 10 ms', async () => {
    const loop = new Loop();
    await loop.begin();
    const account = accountOf('w');
    expect(loop.take(account, 'a', 6)).toBeUndefined();
    expect(loop.take(account, 'b', 6)).toBeUndefined();
    const waiting = loop.take(account, 'c', 1);
    expect(waiting).toBeInstanceOf(Promise);
    expect(loop.order).toEqual(['a', 'b']);
    let hadItsTurn = false;
    setImmediate(() => (hadItsTurn = true));
    await waiting;
    await new Promise((resolve) => setImmediate(resolve));
    expect([loop.order, hadItsTurn]).toEqual([['a', 'b', 'c'], true]);
  });

  it('are served by workflow, the one that has used the least first, however many runs another has', async () => {
    const loop = new Loop();
    await loop.begin();
    const greedy = Array.from({ length: 50 }, () => accountOf('greedy'));
    const honest = accountOf('honest');
    const waits = greedy.map((account) => loop.take(account, 'greedy', 20));
    await waits[1];
    waits.push(loop.take(honest, 'honest', 1));
    await Promise.all(waits);
    expect(loop.order.indexOf('honest')).toBeLessThanOrEqual(4);
    expect(loop.order).toHaveLength(51);
  });

  it('are served by run within a workflow', async () => {
    const loop = new Loop();
    await loop.begin();
    const [long, short] = [accountOf('w'), accountOf('w')];
    loop.take(long, 'long', 100);
    const waits = [loop.take(long, 'long again', 1), loop.take(short, 'short', 1)];
    await Promise.all(waits);
    expect(loop.order).toEqual(['long', 'short', 'long again']);
  });

  it('give no credit for idle time', async () => {
    const loop = new Loop();
    await loop.begin();
    const [busy, idle] = [accountOf('busy'), accountOf('idle')];
    for (let turn = 0; turn < 20; turn += 1) await loop.take(busy, 'busy', 20);
    loop.order.length = 0;
    const waits: unknown[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      waits.push(loop.take(accountOf('busy'), 'busy', 20), loop.take(accountOf('idle'), 'idle', 20));
    }
    waits.push(loop.take(idle, 'idle', 20), loop.take(busy, 'busy', 20));
    await Promise.all(waits);
    // From the second turn on they alternate.
    const second = loop.order.slice(2, 12);
    expect(second.filter((name) => name === 'idle').length).toBeGreaterThanOrEqual(4);
    expect(second.filter((name) => name === 'busy').length).toBeGreaterThanOrEqual(4);
  });

  it('that fail reject their own callers, and no others', async () => {
    const loop = new Loop();
    await loop.begin();
    loop.take(accountOf('w'), 'long', 100);
    const failing = loop.scheduler.take(accountOf('v'), () => {
      throw new Error('no');
    });
    const next = loop.take(accountOf('v'), 'next', 1);
    await expect(failing).rejects.toThrow('no');
    await next;
    expect(loop.order).toEqual(['long', 'next']);
  });

  it('in which units answered tell that the core may do more, and never that it must do less', async () => {
    const loop = new Loop();
    await loop.begin();
    const account = accountOf('w');
    const mixed = (ms: number, left: readonly unknown[]) => () => {
      loop.ms += ms;
      return { isPreempted: false, isMixed: true, pureBacklog: left };
    };
    await loop.scheduler.takeWithin(account, mixed(10, ['unit']));
    expect(account.budget.steps).toBe(20_000_000);
    await loop.scheduler.takeWithin(account, mixed(80, ['unit']));
    await loop.scheduler.takeWithin(account, mixed(5, []));
    expect(account.budget.steps).toBe(20_000_000);
  });

  it('have a budget that follows what they took, so that a preempted one takes about 20 ms', async () => {
    const loop = new Loop();
    await loop.begin();
    const account = accountOf('w');
    const decide = (msPerMillion: number) => (budget: Budget) => {
      loop.ms += (budget.steps / 1e6) * msPerMillion;
      return { isPreempted: true };
    };
    for (let turn = 0; turn < 8; turn += 1) await loop.scheduler.takeWithin(account, decide(4));
    expect(account.budget.steps).toBe(5_000_000);
    for (let turn = 0; turn < 8; turn += 1) await loop.scheduler.takeWithin(account, decide(1));
    expect(account.budget.steps).toBe(20_000_000);
    const { budget } = account;
    await loop.scheduler.takeWithin(account, () => ({ isPreempted: false }));
    expect(account.budget).toBe(budget);
    for (let turn = 0; turn < 40; turn += 1) await loop.scheduler.takeWithin(account, decide(1_000_000));
    expect(account.budget.steps).toBe(500_000);
  });
});

describe('slices among tenants', () => {
  const accountIn = (namespace: string, owner: string, workflowId: string) =>
    new SliceAccount({ namespace, owner, workflowId });

  it('are served by namespace, then by owner, then by workflow', async () => {
    const loop = new Loop();
    await loop.begin();
    const all: (void | Promise<void>)[] = [loop.take(accountIn('x', 'x', 'x'), 'spent', 10)];
    for (let workflow = 0; workflow < 4; workflow += 1) {
      all.push(loop.take(accountIn('a', 'ann', `w${workflow}`), 'a/ann', 5));
      all.push(loop.take(accountIn('a', 'bob', `w${workflow}`), 'a/bob', 5));
    }
    for (let turn = 0; turn < 4; turn += 1) all.push(loop.take(accountIn('b', 'cy', 'w'), 'b/cy', 5));
    await Promise.all(all);
    const order = loop.order.slice(1);
    const count = (name: string, until: number) => order.slice(0, until).filter((one) => one === name).length;
    expect(count('b/cy', 8)).toBe(4);
    expect([count('a/ann', 8), count('a/bob', 8)]).toEqual([2, 2]);
    expect(order).toHaveLength(12);
  });

  it('give one that was idle its turn soon, and no credit for the time', async () => {
    const loop = new Loop();
    await loop.begin();
    const [a, b] = [accountIn('a', 'ann', 'w'), accountIn('b', 'bob', 'w')];
    for (let turn = 0; turn < 20; turn += 1) await loop.take(a, 'a', 10);
    loop.order.length = 0;
    const all: (void | Promise<void>)[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      all.push(loop.take(a, 'a', 10));
      all.push(loop.take(b, 'b', 10));
    }
    await Promise.all(all);
    // Never one of them three times in a row while the other waits.
    expect(loop.order.join('')).not.toMatch(/aaa|bbb/);
  });
});
