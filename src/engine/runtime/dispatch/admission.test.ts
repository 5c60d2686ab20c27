import fc from 'fast-check';
import { Admission } from './admission.js';
import type { RunShare } from './shares.js';

/** Runs that take slots when there are some, and hold them until the test says otherwise. */
class Callers {
  readonly entered: string[] = [];
  /** How many more slots each wants. */
  readonly wants = new Map<string, number>();
  private readonly shares = new Map<string, RunShare>();

  constructor(readonly admission: Admission) {}

  /** The run `workflow/run` requests slots; returns how many it holds then. */
  ask(name: string, places = 1): number {
    this.wants.set(name, (this.wants.get(name) ?? 0) + places);
    this.enter(name);
    return this.held(name);
  }

  leave(name: string): void {
    this.admission.leave(this.share(name));
  }

  held(name: string): number {
    return this.share(name).weight;
  }

  heldBy(workflowId: string): number {
    return this.share(`${workflowId}/`).workflow.held;
  }

  private enter(name: string): void {
    for (let left = this.wants.get(name) ?? 0; left > 0; left -= 1) {
      if (!this.admission.tryEnter(this.share(name))) return;
      this.entered.push(name);
      this.wants.set(name, left - 1);
    }
  }

  private share(name: string): RunShare {
    const [workflowId = ''] = name.split('/');
    const share =
      this.shares.get(name) ??
      this.admission.shareOf({ namespace: 'default', owner: null, workflowId }, () => this.enter(name));
    this.shares.set(name, share);
    return share;
  }
}

describe('the slots among the executions of a process', () => {
  it('are as many as its capacity, and no more', () => {
    const callers = new Callers(new Admission(3));
    for (const name of ['a/1', 'b/1', 'c/1', 'd/1']) callers.ask(name);
    expect(callers.entered).toEqual(['a/1', 'b/1', 'c/1']);
  });

  it('go to waiting runs, in order of arrival where none holds more, one for each that comes free', () => {
    const callers = new Callers(new Admission(1));
    for (const name of ['a/1', 'b/1', 'a/2', 'c/1']) callers.ask(name);
    expect(callers.entered).toEqual(['a/1']);
    for (const name of ['a/1', 'b/1', 'a/2']) callers.leave(name);
    expect(callers.entered).toEqual(['a/1', 'b/1', 'a/2', 'c/1']);
  });

  it('go to the next run when the one that waited has nothing to call any more', () => {
    const callers = new Callers(new Admission(1));
    for (const name of ['a/1', 'b/1', 'c/1']) callers.ask(name);
    callers.wants.set('b/1', 0);
    callers.leave('a/1');
    expect(callers.entered).toEqual(['a/1', 'c/1']);
    expect(callers.ask('d/1')).toBe(0);
  });

  it('go to the workflow whose lightest waiting run makes it the lightest, though a heavier one waited before', () => {
    const callers = new Callers(new Admission(10));
    for (let slot = 0; slot < 6; slot += 1) callers.ask('holder/1');
    for (const name of ['light/1', 'heavy/1', 'heavy/2', 'light/1', 'heavy/3', 'light/2']) callers.ask(name);
    expect(callers.entered.slice(6)).toEqual(['light/1', 'heavy/1', 'heavy/2']);
    callers.leave('holder/1');
    expect(callers.entered.slice(9)).toEqual(['light/2']);
  });

  it('are offered once to a run that asked several times', () => {
    const admission = new Admission(1);
    let offers = 0;
    const holder = admission.shareOf({ namespace: 'default', owner: null, workflowId: 'h' }, () => undefined);
    const share = admission.shareOf(
      { namespace: 'default', owner: null, workflowId: 'w' },
      () => void (offers += 1),
    );
    admission.tryEnter(holder);
    for (let times = 0; times < 3; times += 1) admission.tryEnter(share);
    admission.leave(holder);
    expect(offers).toBe(1);
    expect(admission.tryEnter(holder)).toBe(true);
    admission.leave(holder);
    expect(offers).toBe(1);
  });

  it('come back at once from runs that take one and have nothing to call, however many do', () => {
    const admission = new Admission(1);
    const holder = admission.shareOf({ namespace: 'default', owner: null, workflowId: 'h' }, () => undefined);
    admission.tryEnter(holder);
    let took = 0;
    for (let run = 0; run < 20_000; run += 1) {
      const share: RunShare = admission.shareOf(
        { namespace: 'default', owner: null, workflowId: `w${run % 7}` },
        () => {
          if (!admission.tryEnter(share)) return;
          took += 1;
          admission.leave(share);
        },
      );
      admission.tryEnter(share);
    }
    admission.leave(holder);
    expect(took).toBe(20_000);
    expect(admission.tryEnter(holder)).toBe(true);
  });
});

describe('a greedy workflow', () => {
  it('leaves slots for the first of others, whether it asks in one run or in a thousand', () => {
    for (const runs of [1, 1_000]) {
      const callers = new Callers(new Admission(1_000));
      for (let run = 0; run < runs; run += 1) callers.ask(`greedy/${run}`, 1_000);
      expect(callers.heldBy('greedy')).toBeLessThanOrEqual(675);
      expect(callers.heldBy('greedy')).toBeGreaterThanOrEqual(600);
      for (let other = 0; other < 100; other += 1) expect(callers.ask(`other${other}/1`)).toBe(1);
    }
  });

  it('leaves a quarter of what it found, so that the next greedy ones get their part, and a hundred others one', () => {
    const callers = new Callers(new Admission(1_000));
    const held = ['a', 'b', 'c', 'd'].map((workflow) => {
      for (let run = 0; run < 200; run += 1) callers.ask(`${workflow}/${run}`, 10);
      return callers.heldBy(workflow);
    });
    expect(held).toEqual([675, 169, 42, 11]);
    for (let other = 0; other < 100; other += 1) expect(callers.ask(`other${other}/1`)).toBe(1);
  });

  it('keeps slots from its one greedy run for its others', () => {
    const callers = new Callers(new Admission(1_000));
    expect(callers.ask('w/greedy', 1_000)).toBe(600);
    for (let run = 0; run < 75; run += 1) expect(callers.ask(`w/${run}`)).toBe(1);
  });

  it('never has the last slot, of two or of any number', () => {
    for (let places = 2; places <= 60; places += 1) {
      const callers = new Callers(new Admission(places));
      for (let run = 0; run < 70; run += 1) callers.ask(`greedy/${run}`, 70);
      expect(callers.ask('other/1')).toBe(1);
    }
  });

  it('comes after the others when slots come free', () => {
    const callers = new Callers(new Admission(1));
    callers.ask('greedy/1', 1_000);
    for (const name of ['greedy/2', 'late/1']) callers.ask(name);
    for (let round = 0; round < 4; round += 1) callers.leave(callers.entered.at(-1)!);
    expect(callers.entered).toEqual(['greedy/1', 'greedy/1', 'late/1', 'greedy/2', 'greedy/1']);
  });
});

describe('runs that want slots and give them back', () => {
  it('get them all in the end, however they are requested, and never exceed the capacity', () => {
    const request = fc.record({
      name: fc.tuple(fc.nat(3), fc.nat(3)).map(([workflow, run]) => `${workflow}/${run}`),
      places: fc.integer({ min: 1, max: 8 }),
    });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 25 }),
        fc.array(request, { maxLength: 30 }),
        (places, requests) => {
          const callers = new Callers(new Admission(places));
          let wanted = 0;
          let left = 0;
          for (const { name, places: more } of requests) {
            callers.ask(name, more);
            wanted += more;
            expect(callers.entered.length - left).toBeLessThanOrEqual(places);
          }
          for (; left < wanted; left += 1) {
            const next = callers.entered[left];
            expect(next).toBeDefined();
            callers.leave(next!);
            expect(callers.entered.length - left - 1).toBeLessThanOrEqual(places);
          }
        },
      ),
    );
  });

  it('are not forgotten among thousands of workflows that come and go', () => {
    const admission = new Admission(10);
    const callers = new Callers(admission);
    callers.ask('held/1');
    for (let other = 0; other < 5_000; other += 1) {
      callers.ask(`other${other}/1`);
      callers.leave(`other${other}/1`);
    }
    expect(callers.heldBy('held')).toBe(1);
    for (let other = 0; other < 9; other += 1) expect(callers.ask(`other${other}/1`)).toBe(1);
    expect([callers.ask('other9/1'), callers.ask('held/1')]).toEqual([0, 1]);
  });
});

/** Runs named `namespace/owner/workflow/run`, that take slots when there are some. */
class Tenants {
  readonly entered: string[] = [];
  private readonly shares = new Map<string, RunShare>();
  private readonly waiting = new Set<string>();

  constructor(readonly admission: Admission) {}

  ask(name: string): boolean {
    this.waiting.add(name);
    this.enter(name);
    return !this.waiting.has(name);
  }

  leave(name: string): void {
    this.admission.leave(this.share(name));
  }

  heldBy(prefix: string): number {
    return [...this.shares].reduce(
      (held, [name, { weight }]) => held + (name.startsWith(prefix) ? weight : 0),
      0,
    );
  }

  private enter(name: string): void {
    if (!this.waiting.has(name) || !this.admission.tryEnter(this.share(name))) return;
    this.waiting.delete(name);
    this.entered.push(name);
  }

  private share(name: string): RunShare {
    const [namespace = '', owner = '', workflowId = ''] = name.split('/');
    const of = { namespace, owner, workflowId };
    const share = this.shares.get(name) ?? this.admission.shareOf(of, () => this.enter(name));
    this.shares.set(name, share);
    return share;
  }
}

describe('the slots among the namespaces of a process', () => {
  it('go to the namespace that holds the fewest, then to its owner that does', () => {
    const tenants = new Tenants(new Admission(6));
    for (const name of ['a/ann/1/1', 'a/ann/2/1', 'a/ann/3/1', 'a/bob/4/1', 'b/cy/1/1', 'b/cy/2/1'])
      expect(tenants.ask(name)).toBe(true);
    for (const name of ['a/ann/5/1', 'a/bob/5/1', 'a/cy/5/1', 'b/cy/3/1', 'c/dan/1/1']) tenants.ask(name);
    for (const name of ['a/ann/1/1', 'a/ann/2/1', 'a/ann/3/1', 'a/bob/4/1', 'b/cy/1/1']) tenants.leave(name);
    expect(tenants.entered.slice(6)).toEqual(['c/dan/1/1', 'a/cy/5/1', 'b/cy/3/1', 'a/ann/5/1', 'a/bob/5/1']);
  });

  it('are never all taken by one of them, where they are to be kept apart, however many workflows it has', () => {
    const tenants = new Tenants(new Admission(1_000, { areNamespacesApart: true }));
    for (let workflow = 0; workflow < 2_000; workflow += 1) tenants.ask(`greedy/ann/w${workflow}/1`);
    expect(tenants.heldBy('greedy/')).toBe(750);
    for (let workflow = 0; workflow < 200; workflow += 1) tenants.ask(`other/bob/w${workflow}/1`);
    expect(tenants.heldBy('other/')).toBe(188);
    for (let n = 0; n < 60; n += 1) expect(tenants.ask(`small-${n}/cy/w/1`)).toBe(true);
  });

  it('come back to a namespace as they come free, where others do not want them', () => {
    const tenants = new Tenants(new Admission(100, { areNamespacesApart: true }));
    for (let run = 0; run < 200; run += 1) tenants.ask(`a/ann/w${run}/1`);
    for (let run = 0; run < 20; run += 1) tenants.ask(`b/bob/w${run}/1`);
    const before = tenants.heldBy('a/');
    for (let run = 0; run < 10; run += 1) tenants.leave(`b/bob/w${run}/1`);
    expect(tenants.heldBy('b/')).toBeGreaterThan(8);
    for (const name of tenants.entered.filter((one) => one.startsWith('b/')).slice(10)) tenants.leave(name);
    expect(tenants.heldBy('a/')).toBe(before);
    for (let run = 0; run < 30; run += 1) tenants.leave(`a/ann/w${run}/1`);
    expect(tenants.heldBy('a/')).toBe(75);
  });

  it('are shared without the others where nobody is kept apart, as if there were no namespaces', () => {
    const [apart, together] = [new Tenants(new Admission(100)), new Tenants(new Admission(100))];
    for (let workflow = 0; workflow < 200; workflow += 1) {
      apart.ask(`a/ann/w${workflow}/1`);
      together.ask(`default//w${workflow}/1`);
    }
    expect([apart.heldBy('a/'), together.heldBy('default/')]).toEqual([100, 100]);
  });

  it('are all taken or waited for, and none is free while one that may have it waits', () => {
    const name = fc
      .tuple(
        fc.constantFrom('a', 'b', 'c'),
        fc.constantFrom('x', 'y'),
        fc.nat({ max: 3 }),
        fc.nat({ max: 4 }),
      )
      .map((parts) => parts.join('/'));
    const step = fc.tuple(fc.boolean(), name);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.boolean(), (steps, areNamespacesApart) => {
        const tenants = new Tenants(new Admission(12, { areNamespacesApart }));
        const held = new Set<string>();
        for (const [isAsking, who] of steps) {
          if (isAsking && !held.has(who)) tenants.ask(who);
          else if (!isAsking && held.has(who)) tenants.leave(who);
          else continue;
          if (!isAsking) held.delete(who);
          for (const one of tenants.entered.splice(0)) held.add(one);
          expect(tenants.heldBy('')).toBe(held.size);
          expect(held.size).toBeLessThanOrEqual(12);
        }
        // Whatever waits gets in once the others leave.
        for (let left = [...held]; left.length > 0; left = [...held]) {
          for (const one of left) {
            tenants.leave(one);
            held.delete(one);
          }
          for (const one of tenants.entered.splice(0)) held.add(one);
        }
        expect(tenants.heldBy('')).toBe(0);
      }),
    );
  });
});
