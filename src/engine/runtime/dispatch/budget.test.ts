import { SimulatedRun, compileText } from '../../../../test/support/simulated-run.js';
import { document } from '../../../../test/support/workflow-documents.js';
import type { Usage } from '../../core/log/event-base.js';
import { pending } from '../../core/pending.js';
import type { Execution } from '../../core/waits/execution.js';
import type { RunInMemory } from '../run-shell.js';
import { BudgetKeeper } from './budget.js';

const IDS = ['a', 'b', 'c', 'd'];

/** Four parallel units, and what is reserved for those that are called. */
class Kept {
  readonly run: SimulatedRun;
  readonly keeper: BudgetKeeper;

  constructor(budget: object, own: Readonly<Record<string, object>> = {}) {
    const units = IDS.map((id) => ({
      id,
      uses: 'work',
      policyOverrides: own[id] === undefined ? {} : { budget: own[id] },
    }));
    const plan = compileText(
      document('w', units, { policy: { budget }, flow: { type: 'parallel', units: IDS } }),
    );
    const run = (this.run = new SimulatedRun(plan));
    const live = {
      definition: { plan },
      get durable() {
        return run.state;
      },
    };
    this.keeper = new BudgetKeeper(live as unknown as RunInMemory);
  }

  open(unitId: string): Execution {
    for (const command of pending(this.run.state)) {
      if (command.type === 'execute-unit' && command.execution.unitId === unitId) return command.execution;
    }
    throw new Error(`${unitId} is not to be called.`);
  }

  check(unitId: string) {
    return this.keeper.check(this.open(unitId));
  }

  /** Reserves as the dispatcher does for a call. */
  call(unitId: string): Usage | null {
    const reserved = this.check(unitId);
    if (typeof reserved === 'string') throw new Error(`${unitId} ${reserved}.`);
    this.keeper.reserve(this.open(unitId).id, reserved);
    return reserved;
  }

  ends(unitId: string, usage: Usage | null): void {
    const { id: executionId } = this.open(unitId);
    const answer = { attempt: 1, output: 1, patch: null, metadata: null, usage };
    this.run.send({ type: 'unit-finished', at: 2_000, executionId, ...answer });
    this.keeper.release(executionId);
  }
}

const of = (tokens: number, cost = 0): Usage => ({ tokens, cost });

describe('what a call reserves', () => {
  it('is all that is left as long as it is unknown how much one uses, so that it is alone', () => {
    const kept = new Kept({ maxTokens: 100, maxCost: 2 });
    expect(kept.call('a')).toEqual(of(100, 2));
    expect(kept.check('b')).toBe('waits');
    kept.ends('a', of(30, 0.5));
    expect(kept.call('b')).toEqual(of(30, 0.5));
  });

  it('is as much as one is expected to use, for as many as there is something left for', () => {
    const kept = new Kept({ maxTokens: 100 });
    kept.call('a');
    kept.ends('a', of(35));
    expect(kept.call('b')).toEqual(of(35));
    expect([kept.check('c'), kept.check('d')]).toEqual(['waits', 'waits']);
    kept.ends('b', of(1));
    expect(kept.call('c')).toEqual(of(35));
  });

  it('is what is left where that is less than one is expected to use: no other is called next to it', () => {
    const kept = new Kept({ maxTokens: 50 });
    kept.call('a');
    kept.ends('a', of(30));
    expect(kept.call('b')).toEqual(of(20));
    expect(kept.check('c')).toBe('waits');
  });

  it('is nothing for a unit that has no budget and of which nothing is known, in a run that has none', () => {
    const kept = new Kept({});
    expect(kept.call('a')).toBeNull();
    kept.ends('a', of(500));
    expect(kept.call('b')).toBeNull();
  });

  it('counts for others also where the unit itself has no bound', () => {
    const kept = new Kept({}, { d: { maxTokens: 100 } });
    kept.call('a');
    kept.ends('a', of(60));
    expect(kept.call('b')).toEqual(of(60));
    expect(kept.check('d')).toBe('waits');
    kept.ends('b', of(10));
    expect(kept.check('d')).toEqual(of(30));
  });

  it('is given back once, and leaves no rounding error behind', () => {
    const kept = new Kept({ maxCost: 0.3 });
    kept.call('a');
    kept.ends('a', of(0, 0.1));
    kept.call('b');
    kept.call('c');
    for (const id of ['b', 'b', 'c', 'b'] as const) kept.keeper.release(kept.open(id).id);
    expect(kept.call('d')).toEqual(of(0, 0.1));
  });
});

describe('a call for which nothing is left', () => {
  it('is refused at once where it is to be paused, and otherwise when no other is under way', () => {
    const kept = new Kept({ maxTokens: 10 }, { b: { maxTokens: 90 }, d: { onExceed: 'pause' } });
    kept.call('a');
    kept.ends('a', of(10));
    kept.call('b');
    expect(kept.check('c')).toBe('waits');
    expect(kept.check('d')).toBe('refused');
    kept.ends('b', null);
    expect(kept.check('c')).toBe('refused');
  });

  it('is refused until that was decided', () => {
    const { keeper } = new Kept({ maxTokens: 0 });
    keeper.refuse(7);
    expect([keeper.isRefused(7), keeper.isRefused(8)]).toEqual([true, false]);
    expect([keeper.readmit(7), keeper.readmit(7)]).toEqual([true, false]);
  });
});
