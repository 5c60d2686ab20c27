import type { LogEvent } from './log-event.js';
import { fanOutKey, isInside, placeOfScope } from './scope-ids.js';
import { isOpen, type Pass, type Passes, type Step, type StepState, type Undoing } from './tree-step.js';

/** Failed passes of one foreach whose steps are kept; of the others their names are. */
const MAX_KEPT_FAILURES = 20;

type Begun = Pick<Step, 'kind' | 'unitId'> & Partial<Step>;

/**
 * What a run does, from its events in the view `log`, as a terminal shows it.
 *
 * 1. A location has one step, however often it is begun: a loop counts up.
 * 2. The steps of a pass that ended well are forgotten, and counted: a foreach may have many thousands.
 * 3. After a return to a checkpoint, what began since is gone, and what was open then begins anew, by events that follow.
 */
export class RunTree {
  status: 'running' | 'paused' | 'completed' | 'failed' | 'cancelled' = 'running';
  workflowId = '';
  startedAt: number | null = null;
  endedAt: number | null = null;
  lastSeq = 0;
  tokens = 0;
  cost = 0;
  undoing: Undoing | null = null;
  readonly #steps = new Map<string, Step>();
  readonly #keyOf = new Map<number, string>();
  readonly #foreaches = new Map<string, { -readonly [K in keyof Passes]: Passes[K] }>();

  /** False: the event is known already. Its meaning is in `step-folds.ts`. */
  sees(event: LogEvent): boolean {
    if (event.seq <= this.lastSeq) return false;
    this.lastSeq = event.seq;
    if (event.workflowId !== '') this.workflowId = event.workflowId;
    this.startedAt ??= event.at;
    return true;
  }

  get steps(): readonly Step[] {
    return [...this.#steps.values()];
  }

  get foreaches(): readonly Passes[] {
    return [...this.#foreaches.values()];
  }

  begin(event: LogEvent, begun: Begun): void {
    const { seq, at, path, scope } = event;
    const key = `${begun.kind === 'undo' ? 'undo' : ''}${fanOutKey(scope, path)}`;
    const before = this.#steps.get(key);
    this.#steps.set(key, {
      id: seq,
      firstSeq: before?.firstSeq ?? seq,
      path,
      scope,
      state: 'running',
      startedAt: at,
      endedAt: null,
      endedSeq: null,
      attempt: 1,
      times: (before?.times ?? 0) + (before?.kind === 'pause' ? 0 : 1),
      text: '',
      dueAt: null,
      child: null,
      ...begun,
    });
    this.#keyOf.set(seq, key);
    this.#inPass(event, begun.unitId);
  }

  change(id: number, change: Partial<Step>): void {
    const key = this.#keyOf.get(id) ?? '';
    const step = this.#steps.get(key);
    // A later call at the same location has taken its line.
    if (step?.id === id) this.#steps.set(key, { ...step, ...change });
  }

  end(id: number, { at, seq }: LogEvent, state: StepState, change: Partial<Step> = {}): void {
    this.change(id, { state, endedAt: at, endedSeq: seq, dueAt: null, ...change });
  }

  step(id: number): Step | undefined {
    return this.#steps.get(this.#keyOf.get(id) ?? '');
  }

  /** What had only to be shown while it lasted. */
  drop(id: number): void {
    const key = this.#keyOf.get(id) ?? '';
    if (this.#steps.get(key)?.id === id) this.#steps.delete(key);
    this.#keyOf.delete(id);
  }

  /** What is open inside of a node comes to no end of its own. */
  closeInside(event: LogEvent, node: { readonly scope: string; readonly path: string }): void {
    for (const step of this.#steps.values())
      if (step.kind !== 'undo' && isOpen(step) && isInside(step, node)) this.end(step.id, event, 'cancelled');
  }

  openPasses({ seq, scope, path }: LogEvent, total: number | null): void {
    const key = fanOutKey(scope, path);
    this.#foreaches.set(key, { path, scope, firstSeq: seq, total, passes: new Map(), unitIds: new Set() });
  }

  namePass({ seq, scope }: LogEvent, name: string): void {
    this.#pass(scope, seq, { name });
  }

  closePass({ seq, scope }: LogEvent, hasFailed: boolean): void {
    if (!this.#pass(scope, seq, { endedSeq: seq, hasFailed })) return;
    const place = placeOfScope(scope);
    const { passes } = this.#foreaches.get(place?.fanOut ?? '') ?? { passes: new Map<string, Pass>() };
    const failures = hasFailed ? [...passes.values()].filter((pass) => pass.hasFailed).length : 0;
    if (hasFailed && failures <= MAX_KEPT_FAILURES) return;
    for (const [key, step] of this.#steps)
      if (isInside(step, { scope, path: '' })) {
        this.#steps.delete(key);
        this.#keyOf.delete(step.id);
      }
    for (const [key, inner] of this.#foreaches)
      if (isInside(inner, { scope, path: '' })) this.#foreaches.delete(key);
  }

  /** The run stands as after that event. */
  goBack(toSeq: number): void {
    for (const [key, step] of this.#steps)
      if (step.id > toSeq || step.endedSeq === null || step.endedSeq > toSeq) this.#steps.delete(key);
    for (const [key, foreach] of this.#foreaches) {
      if (foreach.firstSeq > toSeq) this.#foreaches.delete(key);
      const passes = [...foreach.passes].filter(([, { openedSeq }]) => openedSeq <= toSeq);
      foreach.passes = new Map(
        passes.map(([scope, pass]) => {
          const isReopened = pass.endedSeq !== null && pass.endedSeq > toSeq;
          return [scope, isReopened ? { ...pass, endedSeq: null, hasFailed: false } : pass];
        }),
      );
    }
    this.undoing = null;
    this.status = 'running';
    this.endedAt = null;
  }

  /** A pass without a name is known by what begins in it; one that had failed is open again then. */
  #inPass({ seq, scope }: LogEvent, unitId: string): void {
    for (let place = placeOfScope(scope), id = scope; place !== null;) {
      const foreach = this.#foreaches.get(place.fanOut);
      if (foreach !== undefined) {
        this.#pass(id, seq, { endedSeq: null, hasFailed: false });
        if (!foreach.unitIds.has(unitId)) foreach.unitIds = new Set([...foreach.unitIds, unitId]);
      }
      id = place.parent;
      place = placeOfScope(id);
    }
  }

  /** False: the scope is no pass of a foreach. */
  #pass(scope: string, seq: number, change: Partial<Pass>): boolean {
    const place = placeOfScope(scope);
    const foreach = this.#foreaches.get(place?.fanOut ?? '');
    if (place === null || foreach === undefined) return false;
    const passes = foreach.passes as Map<string, Pass>;
    const fresh = { name: `#${place.index}`, openedSeq: seq, endedSeq: null, hasFailed: false };
    passes.set(scope, { ...fresh, ...passes.get(scope), ...change });
    return true;
  }
}
