import type { RunRecord, UnitHandler } from '../../../src/engine/index.js';
import type { StoredEvent } from '../../../src/engine/ports/store/append.js';
import { ANY_RUN } from '../../../src/engine/ports/store/run-filter.js';
import type { RunRow } from '../../../src/engine/ports/store/run-row.js';
import { documentsOf, type Behaviour, type Deed, type FamilySketch } from './family-arbitrary.js';
import { BEGUN_AT, FamilyLives } from './family-lives.js';
import type { Shelf } from './family-shelf.js';

export const TOKENS = 100;
const LATER_MS = 700;
/** Longer than the grace of a pause. */
const SLOW_MS = 8_000;
/** Two requests within this time count as sent in one instant. */
const TWICE_WITHIN_MS = 12;

/** A call of a unit, as the unit saw it. */
export interface Call {
  readonly runId: string;
  readonly unitId: string;
  readonly key: string;
  readonly at: number;
  readonly tick: number;
  readonly life: number;
  isOpen: boolean;
}

/** A request, as its sender saw it. Ticks count everything that happens, instants are from the clock. */
export interface Asked {
  readonly type: 'pause' | 'resume' | 'cancel' | 'decide' | 'rewind' | 'fork';
  readonly name: string;
  readonly runId: string;
  readonly key: string | null;
  readonly at: number;
  readonly from: number;
  /** When its sender was notified, or its process died; null: neither yet. */
  to: number | null;
  outcome: 'open' | 'lost' | 'refused' | RunRecord['status'];
  /** The run was over at the request. */
  readonly wasOver: boolean;
  readonly gate: { readonly runId: string; readonly gateId: number } | null;
}

export interface Known {
  readonly runId: string;
  readonly workflowId: string;
  readonly parentRunId: string | null;
  readonly origin: RunRow['origin'];
  readonly name: string;
}

type Log = readonly (StoredEvent & Readonly<Record<string, unknown>>)[];

/** A family of runs, the requests to it, and what it does. Everything is written down as a story. */
export class FamilyWorld {
  readonly calls: Call[] = [];
  readonly asked: Asked[] = [];
  readonly story: string[] = [];
  readonly faults: string[] = [];
  readonly known = new Map<string, Known>();
  readonly lives: FamilyLives;
  tick = 0;
  isMended = false;
  /** When a request first let the family spend more, in ms of the clock. */
  givenMoreAt = Infinity;
  /** Looks at each call as it is made. */
  onCall: (call: Call) => void = () => undefined;
  private readonly attempts = new Map<string, number>();
  private readonly counts = new Map<string, number>();

  constructor(shelf: Shelf) {
    this.lives = new FamilyLives(shelf, this.work, () => this.died());
  }

  async begin(sketch: FamilySketch): Promise<void> {
    await this.lives.open();
    for (const yaml of documentsOf(sketch)) await this.lives.engine.workflows.register({ yaml });
    const { runId } = await this.lives.engine.runs.start({ workflowId: 'root', input: {} });
    this.meet(runId, 'root', null, 'client');
    await this.lives.settle();
    await this.discover();
  }

  tell(what: string): void {
    this.story.push(`${String(this.lives.clock.now() - BEGUN_AT).padStart(6)} ms  ${what}`);
  }

  fault(what: string): void {
    this.tell(`FAULT: ${what}`);
    this.faults.push(what);
  }

  nameOf(runId: string): string {
    return this.known.get(runId)?.name ?? runId;
  }

  /** The run, its parent, and so on. */
  chain(runId: string): readonly string[] {
    const found: string[] = [];
    for (let at: string | null = runId; at !== null; at = this.known.get(at)?.parentRunId ?? null)
      found.push(at);
    return found;
  }

  descendants(runId: string): readonly Known[] {
    return [...this.known.values()].filter(
      (one) => one.runId !== runId && this.chain(one.runId).includes(runId),
    );
  }

  /** Learns which runs there are by now. */
  async discover(): Promise<void> {
    const { runs } = await this.lives.store.findRuns({
      namespace: 'default',
      filter: ANY_RUN,
      before: null,
      limit: 1_000,
    });
    for (const { row } of runs.toReversed())
      this.meet(row.runId, row.workflowId, row.parentRunId, row.origin);
  }

  row(runId: string): Promise<RunRow | null> {
    return this.lives.store.readRow({ runId });
  }

  async logOf(runId: string): Promise<Log> {
    return (await this.lives.store.readEvents({ runId, afterSeq: 0, limit: 100_000 })) as Log;
  }

  async pass(ms: number): Promise<void> {
    await this.lives.pass(ms);
    await this.discover();
  }

  async perform(deed: Deed): Promise<void> {
    const { lives } = this;
    switch (deed.do) {
      case 'pass':
        return this.pass(deed.ms);
      case 'kill':
        this.tell(
          deed.appends === 0
            ? 'the process is to be killed now'
            : `the process is to be killed with append ${deed.appends}, ${deed.isStored ? 'stored' : 'not stored'}`,
        );
        if (deed.appends === 0) lives.kill();
        else lives.killWith(deed);
        return deed.appends === 0 ? lives.settle() : undefined;
      case 'mend':
        this.isMended = true;
        return this.tell('what was broken is mended');
      case 'pause':
      case 'cancel':
        await this.steer(deed.do, this.pick(deed.who));
        return;
      case 'resume': {
        const run = this.pick(deed.who);
        const key = deed.key === null ? null : `k${deed.key}`;
        await this.steer('resume', run, { key });
        if (!deed.twice) return;
        await this.pass(TWICE_WITHIN_MS);
        await this.steer('resume', run, { key });
        return;
      }
      case 'decide': {
        const { gates } = await lives.store.listGates({
          namespace: 'default',
          status: 'open',
          workflowId: null,
          workflows: null,
          before: null,
          limit: 50,
        });
        const gate = gates.length === 0 ? undefined : gates[deed.which % gates.length];
        if (gate !== undefined) await this.decide(gate, deed.isApproved, deed.by);
        return;
      }
      case 'rewind':
      case 'fork':
        return this.goBack(deed.do, this.pick(deed.who), deed.which);
      case 'stand-still':
      case 'go-on':
        return;
    }
  }

  /** Sends a request; its sender is notified later. */
  async steer(
    type: 'pause' | 'resume' | 'cancel' | 'rewind',
    run: Known,
    more: { readonly key?: string | null; readonly snapshotId?: string; readonly budget?: object } = {},
  ): Promise<Asked> {
    const { key = null, snapshotId, budget } = more;
    const asked = await this.note(type, run, key);
    if (budget !== undefined) this.givenMoreAt = Math.min(this.givenMoreAt, asked.at);
    const { runId, workflowId } = run;
    const address = { runId, workflowId, idempotencyKey: key };
    const { runs } = this.lives.engine;
    const request =
      type === 'pause' || type === 'cancel'
        ? runs[type](address)
        : runs.resume({
            ...address,
            waitMs: 0,
            ...(snapshotId && { snapshotId }),
            ...(budget && { budget }),
          });
    this.hear(asked, request);
    return asked;
  }

  async decide(
    gate: { readonly runId: string; readonly gateId: number },
    approved: boolean,
    by: 'own' | 'root',
  ): Promise<Asked | null> {
    await this.discover();
    const address = by === 'own' ? gate.runId : this.chain(gate.runId).at(-1);
    const run = this.known.get(address ?? '');
    if (run === undefined) return null;
    const asked = await this.note('decide', run, null, gate);
    const { gateId } = gate;
    const request = this.lives.engine.gates.respond({
      workflowId: run.workflowId,
      runId: run.runId,
      approved,
      responder: asked.name,
      gateId,
      waitMs: 0,
      ...(by === 'own' ? {} : { gateRunId: gate.runId }),
    });
    this.hear(asked, request);
    return asked;
  }

  private async goBack(type: 'rewind' | 'fork', run: Known, which: number): Promise<void> {
    await this.lives.settle();
    const log = await this.logOf(run.runId);
    // Some of these events are no checkpoint: going back to them is refused.
    const places = log.filter(({ type: name }) => CHECKPOINTS.has(name));
    const place = places.length === 0 ? undefined : places[which % places.length];
    if (place === undefined) return;
    const snapshotId = `${run.runId}.${place.seq}`;
    if (type === 'rewind') {
      await this.steer('rewind', run, { snapshotId });
      return;
    }
    const asked = await this.note('fork', run, null);
    const { runId, workflowId } = run;
    this.hear(asked, this.lives.engine.runs.fork({ runId, workflowId, from: { snapshotId } }));
  }

  pick(who: number): Known {
    const all = [...this.known.values()];
    const one = all[who % all.length];
    if (one === undefined) throw new Error('There is no run.');
    return one;
  }

  private async note(
    type: Asked['type'],
    run: Known,
    key: string | null,
    gate: Asked['gate'] = null,
  ): Promise<Asked> {
    const row = await this.row(run.runId);
    const wasOver = row !== null && row.endedAt !== null;
    const name = `r${this.asked.length + 1}`;
    const at = this.lives.clock.now();
    const from = ++this.tick;
    const asked: Asked = {
      type,
      name,
      runId: run.runId,
      key,
      at,
      from,
      to: null,
      outcome: 'open',
      wasOver,
      gate,
    };
    this.asked.push(asked);
    const about = gate === null ? '' : ` gate ${gate.gateId} of ${this.nameOf(gate.runId)}`;
    this.tell(`${name}: ${type} ${run.name}${about}${key === null ? '' : ` under the key ${key}`}`);
    return asked;
  }

  private hear(asked: Asked, request: Promise<RunRecord>): void {
    const { life } = this.lives;
    const heard = (outcome: Asked['outcome'], what: string): void => {
      if (life !== this.lives.life || asked.outcome !== 'open') return;
      asked.outcome = outcome;
      asked.to = ++this.tick;
      this.tell(`${asked.name} is answered: ${what}`);
    };
    request
      .then(({ status }) => heard(status, status))
      .catch((error: unknown) => heard('refused', error instanceof Error ? error.message : String(error)));
  }

  private died(): void {
    this.tell(`the process ${this.lives.life} is dead; the next one begins`);
    for (const asked of this.asked) {
      if (asked.outcome !== 'open') continue;
      asked.outcome = 'lost';
      asked.to = ++this.tick;
    }
    for (const call of this.calls) call.isOpen = false;
  }

  private meet(runId: string, workflowId: string, parentRunId: string | null, origin: Known['origin']): void {
    const before = this.known.get(runId);
    if (before !== undefined && before.parentRunId === parentRunId) return;
    this.known.set(runId, { runId, workflowId, parentRunId, origin, name: this.named(runId, workflowId) });
  }

  /** A run may become known by its first call, before it was found. */
  private named(runId: string, workflowId: string): string {
    const before = this.known.get(runId);
    if (before !== undefined) return before.name;
    const count = (this.counts.get(workflowId) ?? 0) + 1;
    this.counts.set(workflowId, count);
    return `${workflowId}${count}`;
  }

  private readonly work: UnitHandler = async (request, context) => {
    const { runId, unitId, workflowId } = request.context;
    const { idempotencyKey: key, signal } = context;
    const { clock, life, store } = this.lives;
    if (!this.known.has(runId)) {
      const row = await store.readRow({ runId });
      this.meet(runId, workflowId, row?.parentRunId ?? null, row?.origin ?? 'client');
    }
    const call: Call = { runId, unitId, key, at: clock.now(), tick: ++this.tick, life, isOpen: true };
    this.calls.push(call);
    this.tell(`${this.nameOf(runId)} calls ${unitId}`);
    this.onCall(call);
    signal.addEventListener('abort', () => (call.isOpen = false));
    try {
      const after = (ms: number) =>
        new Promise<void>((resolve) => void clock.schedule(clock.now() + ms, resolve));
      const { behaviour } = request.input as { behaviour: Behaviour };
      if (behaviour === 'later') await after(LATER_MS);
      if (behaviour === 'slow') await after(SLOW_MS);
      if (behaviour === 'broken' && !this.isMended)
        throw Object.assign(new Error('broken'), { retryable: false });
      if (behaviour === 'shaky') {
        const attempt = (this.attempts.get(key) ?? 0) + 1;
        this.attempts.set(key, attempt);
        if (attempt === 1) throw new Error('shaky');
      }
      return { content: 'done', tokenUsage: { totalTokens: TOKENS } };
    } finally {
      call.isOpen = false;
    }
  };
}

const CHECKPOINTS = new Set(['unit-finished', 'gate-opened', 'gate-decided', 'paused', 'child-ended']);
