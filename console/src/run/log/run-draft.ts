import type { JsonObject } from '../../../../clients/typescript/src/types/json.js';
import {
  flowKey,
  type Checkpoint,
  type Execution,
  type FlowFacts,
  type PartState,
  type RunPause,
  type RunPicture,
  type ScopeFacts,
  type UndoFacts,
} from './picture.js';

const NOTHING_YET: FlowFacts = {
  items: null,
  chosen: [],
  winner: null,
  passes: 0,
  caught: null,
  isClosed: false,
};

/** What an execution is before anything is known of it but that it began. */
type Begun = Pick<Execution, 'id' | 'kind' | 'unitId' | 'path' | 'scope' | 'state' | 'startedAt'> &
  Partial<Execution>;

/** The picture of a run while its events are folded: what is inside is replaced, never changed, so that pictures can share it. */
export class RunDraft {
  phase: 'pending' | 'live' | 'completed' | 'failed' | 'cancelled' = 'pending';
  startedAt: number | null = null;
  endedAt: number | null = null;
  lastAt = 0;
  lastSeq = 0;
  error: string | null = null;
  input: JsonObject | null = null;
  vars: JsonObject | null = null;
  forkedFrom: RunPicture['forkedFrom'] = null;
  readonly checkpoints: Checkpoint[] = [];
  readonly undoings: UndoFacts[] = [];
  readonly pauses: RunPause[] = [];
  readonly #executions: Execution[] = [];
  readonly #indices = new Map<number, number>();
  /** Indices of those that have not ended. */
  readonly #open = new Set<number>();
  /** What the failure of the run ended. A resume takes it up again, under the ids that it had. */
  #endedByFailure: readonly Execution[] = [];
  readonly #scopes = new Map<string, ScopeFacts>();
  readonly #flows = new Map<string, FlowFacts>();

  begin(begun: Begun): void {
    const execution: Execution = {
      endedAt: null,
      attempts: [],
      written: {},
      error: null,
      dueAt: null,
      isInherited: begun.id <= 0,
      isSuperseded: false,
      compensates: null,
      isCompensable: false,
      endSeq: null,
      key: null,
      usage: null,
      ...begun,
    };
    this.#indices.set(execution.id, this.#executions.length);
    if (execution.endedAt === null) this.#open.add(this.#executions.length);
    this.#executions.push(execution);
    this.scope(execution.scope);
  }

  execution(id: number): Execution | undefined {
    const index = this.#indices.get(id);
    return index === undefined ? undefined : this.#executions[index];
  }

  change(id: number, changed: Partial<Execution>): void {
    const index = this.#indices.get(id);
    const before = index === undefined ? undefined : this.#executions[index];
    if (index === undefined || before === undefined) return;
    const after = { ...before, ...changed };
    this.#executions[index] = after;
    if (after.endedAt === null) this.#open.add(index);
    else this.#open.delete(index);
  }

  end(id: number, at: number, seq: number, state: PartState, changed: Partial<Execution> = {}): void {
    const before = this.execution(id);
    if (before === undefined) return;
    const { error = null } = changed;
    const attempts = before.attempts.map((attempt) =>
      attempt.endedAt === null ? { ...attempt, endedAt: at, error } : attempt,
    );
    this.change(id, { ...changed, attempts, state, endedAt: at, endSeq: seq, dueAt: null });
  }

  /** What is open inside of a place of the document, in a scope and all that it opened, ends without an outcome. */
  closeInside(at: number, seq: number, where: Place, state: PartState): void {
    for (const open of this.#openExecutions())
      if (isInside(open, where) && !goesOnWithin(open, where)) this.end(open.id, at, seq, state);
  }

  /** All that is open stands still. */
  fail(at: number, seq: number): void {
    this.#endedByFailure = this.#openExecutions();
    for (const { id } of this.#endedByFailure) this.end(id, at, seq, 'cancelled');
  }

  takeUpAgain(): void {
    // Child runs are begun anew, under ids of their own.
    for (const execution of this.#endedByFailure)
      if (execution.kind !== 'child') this.change(execution.id, execution);
    this.#endedByFailure = [];
  }

  hasFailedAt(path: string): boolean {
    return this.#executions.some((execution) => execution.path === path && execution.state === 'failed');
  }

  supersedeOpen(): void {
    for (const { id } of this.#openExecutions()) {
      this.end(id, this.lastAt, id, 'cancelled');
      this.change(id, { isSuperseded: true });
    }
  }

  scope(id: string, changed: Partial<ScopeFacts> = {}): void {
    const before = this.#scopes.get(id) ?? { id, closedAt: null, error: null, key: null };
    this.#scopes.set(id, { ...before, ...changed });
  }

  flow(scope: string, path: string, change: (before: FlowFacts) => Partial<FlowFacts>): void {
    const key = flowKey(scope, path);
    const before = this.#flows.get(key) ?? NOTHING_YET;
    this.#flows.set(key, { ...before, ...change(before) });
  }

  /** `superseded`: executions that the run went back beyond. They show where it was before. */
  picture(superseded: readonly Execution[]): RunPicture {
    const executions = [...superseded, ...this.#executions];
    if (superseded.length > 0) executions.sort((a, b) => a.id - b.id);
    const { startedAt, endedAt, lastAt, lastSeq, error, input, vars, forkedFrom } = this;
    return {
      status: this.#status(),
      startedAt,
      endedAt,
      lastAt,
      lastSeq,
      error,
      input,
      vars,
      forkedFrom,
      executions,
      scopes: new Map(this.#scopes),
      flows: new Map(this.#flows),
      undoings: [...this.undoings],
      pauses: [...this.pauses],
      checkpoints: [...this.checkpoints],
    };
  }

  /** The executions after an event, for a run that goes back to it. */
  begunAfter(seq: number): readonly Execution[] {
    return this.#executions.filter(({ id }) => id > seq);
  }

  #openExecutions(): readonly Execution[] {
    return [...this.#open].flatMap((index) => this.#executions[index] ?? []);
  }

  #status(): RunPicture['status'] {
    if (this.phase !== 'live') return this.phase;
    const isStopped = this.pauses.some(({ endedAt, path }) => endedAt === null && path === '');
    if (isStopped) return 'paused';
    let waits = this.pauses.some(({ endedAt }) => endedAt === null) ? 1 : 0;
    for (const index of this.#open) {
      const state = this.#executions[index]?.state;
      if (state !== 'gate' && state !== 'paused') return 'running';
      waits += 1;
    }
    return waits > 0 ? 'paused' : 'running';
  }
}

/** A path in a scope; the empty path: all of the scope. */
export interface Place {
  readonly scope: string;
  readonly path: string;
}

function isSame(one: Place, other: Place): boolean {
  return one.scope === other.scope && one.path === other.path;
}

function isInside(inner: Place, { scope, path }: Place): boolean {
  if (inner.scope === scope) return path === '' || inner.path === path || inner.path.startsWith(`${path}/`);
  if (scope !== '' && !inner.scope.startsWith(`${scope}>`)) return false;
  if (path === '') return true;
  // The scopes that were opened at the path, or below it, begin with it.
  const opened = inner.scope.slice(scope.length + 1);
  return opened.startsWith(`${path}#`) || opened.startsWith(`${path}/`);
}

/** A key of a route may be the word, too. */
const FINALLY = /(?<!\/routes)\/finally(?=\/|$)/;

/** Whether it undoes something, or is part of a `finally` that lies inside of what closes: that goes on. */
function goesOnWithin(open: Execution, where: Place): boolean {
  if (open.compensates !== null) return true;
  return finallyPlaces(open).some((place) => isInside(place, where) && !isSame(place, where));
}

/** Each `finally` that is around a location, in the scope in which it runs. */
function finallyPlaces({ scope, path }: Place): readonly Place[] {
  const steps = `${scope}>${path}`.split('>').slice(1);
  return steps.flatMap((step, index) => {
    const match = FINALLY.exec(step);
    if (match === null) return [];
    const around = steps.slice(0, index).map((one) => `>${one}`);
    return [{ scope: around.join(''), path: step.slice(0, match.index + match[0].length) }];
  });
}
