import { messageOf } from '../../../errors/flowgate-error.js';
import { InvalidInputError } from '../../../errors/request-errors.js';
import { StoreError } from '../../../errors/service-errors.js';
import { ENGINE_ACTOR } from '../../core/log/actor.js';
import type { JsonObject } from '../../core/json.js';
import { childDepth } from '../../core/family/child-depth.js';
import { inputOf } from '../../core/state/execution-input.js';
import { inheritedBudget } from '../../core/family/inherited-budget.js';
import { isSuspended } from '../../core/state/status.js';
import { childOf, type Child } from '../../core/waits/child.js';
import { isOrderedToPause } from '../../core/family/family-orders.js';
import type { Definition } from '../../definitions/definition.js';
import type { WorkflowRegistry } from '../../definitions/registry/workflow-registry.js';
import { sleep, type Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { RunLog } from '../../ports/store/run-log.js';
import { doublingMs } from '../doubling.js';
import { StartRefused, type LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { RunInMemory } from '../run-shell.js';
import { checkedInput, varsFor } from '../starting/checked-start.js';
import type { Descendants } from './descendants.js';
import type { ParentCache } from './parent-cache.js';
import type { ParentNotifier } from './parent-notifier.js';
import type { OrphanedChildren } from './orphaned-children.js';
import { callerIn } from '../../scheduling/caller.js';
import type { OpenRuns } from '../starting/open-runs.js';
import { Semaphore } from '../../scheduling/semaphore.js';

const AT_ONCE = 64;
const RETRY = { firstMs: 100, longestMs: 60_000 };
/** A start is refused if the workflow was registered again between look and start this many times in a row. */
const MAX_STALE_STARTS = 10;
/** Above this many it forgets which children it has seen to, and looks again. */
const MAX_SEEN = 50_000;

type ChildStart = NonNullable<Awaited<ReturnType<WorkflowRegistry['forChild']>>>;

export interface ChildStartsOptions {
  readonly store: Pick<RunLog, 'readRow'>;
  readonly live: LiveRuns;
  readonly openRuns: Pick<OpenRuns, 'began'>;
  readonly registry: Pick<WorkflowRegistry, 'forChild' | 'isReplaced' | 'refresh'>;
  readonly parents: ParentCache;
  readonly notifier: ParentNotifier;
  /** Makes a child follow the orders to its family. */
  readonly follow: (parentRunId: string, child: Child) => Promise<void>;
  readonly orphans: OrphanedChildren;
  readonly descendants: Descendants;
  readonly clock: Clock;
  readonly logger: EngineLogger;
  readonly owns: (runId: string) => boolean;
  readonly isClosing: () => boolean;
}

/**
 * Starts the children that runs of this process wait for, or resumes those that are tried again.
 *
 * 1. A child's id follows from its parent's log, so a start that was carried out before finds its own run.
 * 2. A transient fault of the store is no outcome: the start is tried again, for as long as the parent waits.
 * 3. A child that cannot be started fails the unit, with a sentence that says what to do.
 * 4. If another run has the child's id, the unit begins another child: occupying ids does not block a run's children.
 * 5. A child uses the registration that is current when it is started, and keeps it, as every run does.
 */
export class ChildStarts {
  private readonly slots = new Semaphore(AT_ONCE);
  private readonly underWay = new Set<string>();
  /** The latest request for each child that was under way when it came. */
  private readonly latestRequests = new Map<string, () => void>();
  /** Children that are in the store for certain; others are looked up. */
  private readonly seen = new Set<string>();

  constructor(private readonly options: ChildStartsOptions) {}

  /** Called at once, and again whenever the parent is loaded. */
  seeTo(run: Pick<RunInMemory, 'runId'>, child: Child, mayBegin: boolean): void {
    const { runId } = run;
    const name = `${child.childRunId}:${child.id}`;
    const { childRunId } = child;
    if (this.seen.has(name)) return;
    if (this.underWay.has(childRunId)) {
      this.latestRequests.set(childRunId, () => this.seeTo(run, child, mayBegin));
      return;
    }
    this.underWay.add(childRunId);
    // The parent stays in memory during this, because most children end soon.
    this.options.parents
      .withParent(runId, (parent) => {
        const caller = callerIn(parent.namespace, parent.workflowId);
        // Within a workflow the deepest goes first: a tree is then begun branch by branch, and what waits, with the parents that
        // are kept in memory for it, grows with the depth of the tree. Level by level it would grow with its width: a workflow
        // that starts itself ten times over would exhaust the memory before the depth limit ends it.
        const rank = -childDepth(parent.durable);
        return this.slots.run(() => this.untilSeenTo(parent, child, mayBegin), { caller, rank });
      })
      .then((isDone) => {
        if (isDone === true) this.remember(name);
      })
      .catch((error: unknown) => this.warn('A child run could not be seen to', child, error))
      .finally(() => {
        this.underWay.delete(childRunId);
        const again = this.latestRequests.get(childRunId);
        this.latestRequests.delete(childRunId);
        again?.();
      });
  }

  /** Forgets that the child was seen to: it is looked up again when the parent is loaded. */
  forget({ childRunId, id }: Child): void {
    this.seen.delete(`${childRunId}:${id}`);
  }

  private remember(name: string): void {
    if (this.seen.size >= MAX_SEEN) this.seen.clear();
    this.seen.add(name);
  }

  /** True: nothing is left to do for the child. */
  private async untilSeenTo(parent: LiveRun, child: Child, mayBegin: boolean): Promise<boolean> {
    const { isClosing, owns, clock } = this.options;
    for (let failures = 0; !isClosing() && owns(parent.runId);) {
      const open = waitedFor(parent, child);
      if (open?.id !== child.id) return true;
      // The resume requests all of its children again.
      if (isSuspended(parent.durable) || isOrderedToPause(open)) return false;
      try {
        if (await this.seeToOnce(parent, child, mayBegin)) {
          await this.options.follow(parent.runId, child);
          return true;
        }
        await this.notifyExceeded(parent, child);
        return false;
      } catch (error) {
        const isPassing = error instanceof StoreError && !error.permanent;
        if (!isPassing) {
          await refuse(parent, child, messageOf(error, 'http'), clock.now());
          return true;
        }
        failures += 1;
        if (failures === 1) this.warn('A child run could not be started; it is tried again', child, error);
        await sleep(clock, doublingMs(failures, RETRY));
      }
    }
    return false;
  }

  /** False: the child was not begun, or has failed, and may not begin. */
  private async seeToOnce(parent: LiveRun, child: Child, mayBegin: boolean): Promise<boolean> {
    const { store, notifier, descendants, clock } = this.options;
    const { childRunId, workflowId } = child;
    const isTriedAgain = child.id !== child.key;
    const row = await store.readRow({ runId: childRunId });
    if (row === null) {
      if (!isTriedAgain) return mayBegin && this.start(parent, child);
      const gone = `the run ${childRunId} of ${workflowId} is there no more: resume this one to begin another`;
      return refuse(parent, child, gone, clock.now(), { isLost: true });
    }
    if (row.parentRunId !== parent.runId) {
      const taken = `its run would have the id ${childRunId}, which another one has`;
      if (!isTriedAgain) return refuse(parent, child, taken, clock.now(), { again: true });
      return refuse(parent, child, `${taken}: resume this one to try another id`, clock.now(), {
        isLost: true,
      });
    }
    const isSeenTo = await this.options.live.withRun(childRunId, async (run) => {
      const { phase, endedSeq } = run.durable;
      if (isTriedAgain && run.durable.isOnItsOwn) await run.deliver({ type: 'rejoin', at: clock.now() });
      if (phase === 'failed' && endedSeq <= child.toldSeq) {
        if (!mayBegin) return false;
        if (run.durable.isUnwound === true) {
          const undone = `what the run ${childRunId} had done was undone when it failed: another one begins`;
          return refuse(parent, child, undone, clock.now(), { again: true });
        }
        // The budget that the parent was given with its resume bounds its children, too.
        const budget = inheritedBudget(run.definition.plan, run.durable, parent.durable.budget, false);
        const resume = { type: 'resume', at: clock.now(), pauseId: null, by: ENGINE_ACTOR, budget } as const;
        const tooMany = await descendants.begin(parent.durable, () => run.send([resume]));
        if (tooMany !== null) return refuse(parent, child, tooMany, clock.now());
      }
      await notifier.notify(run.durable);
      return true;
    });
    return isSeenTo !== false;
  }

  /** Nothing of the budget is left for the child, and nothing of it is under way. */
  private async notifyExceeded(parent: LiveRun, { id: executionId, childRunId }: Child): Promise<void> {
    // First: if the budget was raised in the meantime, the child is seen to again.
    this.underWay.delete(childRunId);
    await parent.deliver({ type: 'budget-exceeded', at: this.options.clock.now(), executionId });
  }

  private async start(parent: LiveRun, child: Child): Promise<true> {
    const { registry, orphans, descendants, clock } = this.options;
    const { namespace } = parent;
    const { workflowId } = child;
    for (let staleStarts = 0; staleStarts < MAX_STALE_STARTS; staleStarts++) {
      const from = await registry.forChild(namespace, workflowId);
      if (from === null) {
        const unknown = `there is no workflow ${workflowId}: register it, then resume the run`;
        return refuse(parent, child, unknown, clock.now());
      }
      const input = await this.inputFor(parent, child, from.definition);
      if (input === null) {
        await registry.refresh(namespace, workflowId);
        continue;
      }
      try {
        const tooMany = await descendants.begin(parent.durable, () =>
          this.begin(parent, child, { ...from, input }),
        );
        if (tooMany !== null) return refuse(parent, child, tooMany, clock.now());
        // The parent may have ended in the meantime.
        if (waitedFor(parent, child) === undefined) orphans.cancelSoon(child.childRunId);
        return true;
      } catch (error) {
        if (!(error instanceof StartRefused)) throw error;
        // The run was just started elsewhere.
        if (error.reason === 'conflict') return this.seeToOnce(parent, child, true).then(() => true);
      }
      await registry.refresh(namespace, workflowId);
    }
    throw new StoreError(`The workflow ${workflowId} is registered again and again`);
  }

  /** Null: the workflow is registered with another definition by now, which may accept what this one refuses. */
  private async inputFor(parent: LiveRun, child: Child, definition: Definition): Promise<JsonObject | null> {
    try {
      // The input is computed by the parent: a refusal here would repeat each time.
      return await checkedInput(inputOf(parent.durable, child) as JsonObject, definition, null);
    } catch (error) {
      const { registry } = this.options;
      if (error instanceof InvalidInputError && (await registry.isReplaced(definition))) return null;
      throw error;
    }
  }

  private async begin(
    parent: LiveRun,
    { childRunId, key }: Child,
    { definition, startedFrom, input }: ChildStart & { readonly input: JsonObject },
  ): Promise<void> {
    const { live, openRuns, clock } = this.options;
    const { plan } = definition;
    const at = clock.now();
    const { workflowId } = plan;
    const vars = varsFor(plan, { input, run: { runId: childRunId, workflowId, createdAt: at } });
    const run = live.checkOutNew(childRunId, definition);
    run.startedFrom = startedFrom;
    openRuns.began(parent.namespace);
    try {
      await run.send([
        {
          type: 'start',
          at,
          runId: childRunId,
          namespace: parent.namespace,
          input,
          labels: {},
          by: ENGINE_ACTOR,
          origin: { type: 'child' },
          parent: { runId: parent.runId, executionId: key, depth: childDepth(parent.durable) },
          ...(vars === null ? {} : { vars }),
        },
      ]);
    } finally {
      live.end(run);
    }
  }

  private warn(what: string, { childRunId, workflowId }: Child, error: unknown): void {
    this.options.logger.warn(what, { runId: childRunId, workflowId, error: messageOf(error) });
  }
}

/** A run that was cancelled, or completed, waits for no child, whatever its state still shows. */
function waitedFor({ durable }: LiveRun, child: Child): Child | undefined {
  return durable.phase === 'live' ? childOf(durable, child) : undefined;
}

async function refuse(
  parent: LiveRun,
  child: Child,
  error: string,
  at: number,
  more: { readonly again?: true; readonly isLost?: true } = {},
): Promise<true> {
  const { childRunId, key } = child;
  await parent.deliver({ type: 'child-refused', at, childRunId, key, error, ...more });
  return true;
}
