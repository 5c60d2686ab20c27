import { messageOf } from '../../../errors/flowgate-error.js';
import { StoreError } from '../../../errors/service-errors.js';
import { ENGINE_ACTOR } from '../../core/log/actor.js';
import type { JsonObject } from '../../core/json.js';
import { childDepth } from '../../core/state/child-depth.js';
import { inputOf } from '../../core/state/execution-input.js';
import { inheritedBudget } from '../../core/state/inherited-budget.js';
import { isSetAside } from '../../core/state/status.js';
import { childOf, type Child } from '../../core/waits/child.js';
import { isToldToPause } from '../../core/waits/family-orders.js';
import type { WorkflowRegistry } from '../../definitions/workflow-registry.js';
import { sleep, type Clock } from '../../ports/clock.js';
import type { EngineLogger } from '../../ports/logger.js';
import type { RunStore } from '../../ports/run-store.js';
import { doublingMs } from '../doubling.js';
import { StartRefused, type LiveRun } from '../mailbox/live-run.js';
import type { LiveRuns } from '../mailbox/live-runs.js';
import type { RunInMemory } from '../mailbox/run-shell.js';
import { checkedInput } from '../requests/checked-start.js';
import type { Descendants } from './descendants.js';
import type { KeptParents } from './kept-parents.js';
import type { ParentNews } from './parent-news.js';
import { StartPlaces } from './start-places.js';
import type { UnwantedChildren } from './unwanted-children.js';

const AT_ONCE = 64;
const RETRY = { firstMs: 100, longestMs: 60_000 };
/** A workflow that is registered anew between every look and every start, so many times in a row, is refused. */
const MAX_STALE_STARTS = 10;
/** Beyond so many it forgets which it has seen to, and looks once more. */
const MAX_SEEN = 50_000;

type ChildStart = NonNullable<Awaited<ReturnType<WorkflowRegistry['forChild']>>>;

export interface ChildStartsOptions {
  readonly store: Pick<RunStore, 'readRow'>;
  readonly live: LiveRuns;
  readonly registry: Pick<WorkflowRegistry, 'forChild' | 'refresh'>;
  readonly parents: KeptParents;
  readonly news: ParentNews;
  /** Has a child follow what its family was told. */
  readonly follow: (parentRunId: string, child: Child) => Promise<void>;
  readonly unwanted: UnwantedChildren;
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
 * 2. A fault of the store is no answer: the start is tried again, for as long as the parent waits.
 * 3. What cannot be started fails the unit, with a sentence that says what to do.
 * 4. Where another run has a child's id, the unit begins another child: whoever takes ids takes no run's children.
 * 5. A child is one of the registration that stands when it is started, and keeps it, as every run does.
 */
export class ChildStarts {
  private readonly places = new StartPlaces(AT_ONCE);
  private readonly underWay = new Set<string>();
  /** What was asked last of each that was under way. */
  private readonly askedAgain = new Map<string, () => void>();
  /** Those that stand in the store for certain; others are looked for. */
  private readonly seen = new Set<string>();

  constructor(private readonly options: ChildStartsOptions) {}

  /** At once, and again whenever the parent is read anew. */
  seeTo(run: Pick<RunInMemory, 'runId'>, child: Child, mayBegin: boolean): void {
    const { runId } = run;
    const name = `${child.childRunId}:${child.id}`;
    const { childRunId } = child;
    if (this.seen.has(name)) return;
    if (this.underWay.has(childRunId)) {
      this.askedAgain.set(childRunId, () => this.seeTo(run, child, mayBegin));
      return;
    }
    this.underWay.add(childRunId);
    // The parent stays in memory meanwhile: most children end soon.
    this.options.parents
      .withParent(runId, (parent) => {
        const workflow = `${parent.namespace}/${parent.workflowId}`;
        return this.places.run(workflow, childDepth(parent.durable), () =>
          this.untilSeenTo(parent, child, mayBegin),
        );
      })
      .then((isDone) => {
        if (isDone === true) this.remember(name);
      })
      .catch((error: unknown) => this.say('A child run could not be seen to', child, error))
      .finally(() => {
        this.underWay.delete(childRunId);
        const again = this.askedAgain.get(childRunId);
        this.askedAgain.delete(childRunId);
        again?.();
      });
  }

  /** The parent is to look again when it is read anew. */
  forget({ childRunId, id }: Child): void {
    this.seen.delete(`${childRunId}:${id}`);
  }

  private remember(name: string): void {
    if (this.seen.size >= MAX_SEEN) this.seen.clear();
    this.seen.add(name);
  }

  /** True: there is nothing left to see to. */
  private async untilSeenTo(parent: LiveRun, child: Child, mayBegin: boolean): Promise<boolean> {
    const { isClosing, owns, clock } = this.options;
    for (let failures = 0; !isClosing() && owns(parent.runId);) {
      const open = waitedFor(parent, child);
      if (open?.id !== child.id) return true;
      // Whoever resumes it has all of it asked again.
      if (isSetAside(parent.durable) || isToldToPause(open)) return false;
      try {
        if (await this.seeToOnce(parent, child, mayBegin)) {
          await this.options.follow(parent.runId, child);
          return true;
        }
        await this.tellExceeded(parent, child);
        return false;
      } catch (error) {
        const isPassing = error instanceof StoreError && !error.permanent;
        if (!isPassing) {
          await refuse(parent, child, messageOf(error), clock.now());
          return true;
        }
        failures += 1;
        if (failures === 1) this.say('A child run could not be started; it is tried again', child, error);
        await sleep(clock, doublingMs(failures, RETRY));
      }
    }
    return false;
  }

  /** False: it was not begun, or has failed, and may not begin. */
  private async seeToOnce(parent: LiveRun, child: Child, mayBegin: boolean): Promise<boolean> {
    const { store, news, descendants, clock } = this.options;
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
        // What the parent was given with its own resume bounds its children, too.
        const budget = inheritedBudget(run.definition.plan, run.durable, parent.durable.budget, false);
        const resume = { type: 'resume', at: clock.now(), pauseId: null, by: ENGINE_ACTOR, budget } as const;
        const tooMany = await descendants.begin(parent.durable, () => run.send([resume]));
        if (tooMany !== null) return refuse(parent, child, tooMany, clock.now());
      }
      await news.tell(run.durable);
      return true;
    });
    return isSeenTo !== false;
  }

  /** Nothing is left for it, and nothing of it is under way. */
  private async tellExceeded(parent: LiveRun, { id: executionId, childRunId }: Child): Promise<void> {
    // First: where more was given meanwhile, it is seen to once more.
    this.underWay.delete(childRunId);
    await parent.deliver({ type: 'budget-exceeded', at: this.options.clock.now(), executionId });
  }

  private async start(parent: LiveRun, child: Child): Promise<true> {
    const { registry, unwanted, descendants, clock } = this.options;
    const { namespace } = parent;
    const { workflowId } = child;
    for (let staleStarts = 0; staleStarts < MAX_STALE_STARTS; staleStarts++) {
      const from = await registry.forChild(namespace, workflowId);
      if (from === null) {
        const unknown = `there is no workflow ${workflowId}: register it, then resume the run`;
        return refuse(parent, child, unknown, clock.now());
      }
      // Of its own making: what is refused here is refused each time.
      const input = await checkedInput(inputOf(parent.durable, child) as JsonObject, from.definition, null);
      try {
        const tooMany = await descendants.begin(parent.durable, () =>
          this.begin(parent, child, { ...from, input }),
        );
        if (tooMany !== null) return refuse(parent, child, tooMany, clock.now());
        // Meanwhile the parent may have come to its end.
        if (waitedFor(parent, child) === undefined) unwanted.cancelSoon(child.childRunId);
        return true;
      } catch (error) {
        if (!(error instanceof StartRefused)) throw error;
        // Somebody else saw to it just now.
        if (error.reason === 'conflict') return this.seeToOnce(parent, child, true).then(() => true);
      }
      await registry.refresh(namespace, workflowId);
    }
    throw new StoreError(`The workflow ${workflowId} is registered again and again`);
  }

  private async begin(
    parent: LiveRun,
    { childRunId, key }: Child,
    { definition, startedFrom, input }: ChildStart & { readonly input: JsonObject },
  ): Promise<void> {
    const { live, clock } = this.options;
    const run = live.lendNew(childRunId, definition);
    run.startedFrom = startedFrom;
    try {
      await run.send([
        {
          type: 'start',
          at: clock.now(),
          runId: childRunId,
          namespace: parent.namespace,
          input,
          labels: {},
          by: ENGINE_ACTOR,
          origin: { type: 'child' },
          parent: { runId: parent.runId, executionId: key, depth: childDepth(parent.durable) },
        },
      ]);
    } finally {
      live.end(run);
    }
  }

  private say(what: string, { childRunId, workflowId }: Child, error: unknown): void {
    this.options.logger.warn(what, { runId: childRunId, workflowId, error: messageOf(error) });
  }
}

/** A run that was cancelled, or completed, has let go of its children, whatever its state still shows. */
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
