import type { FamilySketch } from './family-arbitrary.js';
import { documentsOf } from './family-arbitrary.js';
import { BEGUN_AT, INSTANT_MS } from './family-lives.js';
import { TOKENS, type Asked, type Call, type FamilyWorld, type Known } from './family-world.js';

type Logged = Awaited<ReturnType<FamilyWorld['logOf']>>[number];

/** The requests that allow a paused run to move again. */
const LIFTS: ReadonlySet<Asked['type']> = new Set(['resume', 'rewind', 'cancel']);
const ENDS: ReadonlySet<string> = new Set(['run-completed', 'run-failed', 'run-cancelled']);
const CLEAN_UP = 'undo';

interface LoggedPause {
  readonly seq: number;
  readonly from: number;
  readonly unitId: string;
  readonly reason: string;
  to: number | null;
}

/**
 * What a family owes to those who steer it, judged by their requests and the responses, by what units saw and by what is
 * recorded. Where it is not certain what is owed, since two requests were in flight at once or one was lost, nothing is
 * claimed.
 */
export class FamilyLaws {
  private readonly logs = new Map<string, readonly Logged[]>();

  constructor(
    private readonly world: FamilyWorld,
    private readonly sketch: FamilySketch,
  ) {
    world.onCall = (call) => this.called(call);
  }

  /** A pause of the run, or of one above it, that its sender was notified of, and that was not lifted since. */
  pauseOver(runId: string): Asked | undefined {
    const chain = this.world.chain(runId);
    return this.world.asked.find((pause) => {
      const distance = chain.indexOf(pause.runId);
      if (pause.type !== 'pause' || pause.outcome !== 'paused' || distance === -1) return false;
      if (this.wasPausedBefore(pause)) return false;
      if (chain.slice(0, distance).some((below) => this.isAlone(below))) return false;
      const isLift = ({ type, runId: of, to }: Asked) =>
        LIFTS.has(type) && chain.includes(of) && (to === null || to > pause.from);
      return !this.world.asked.some(isLift);
    });
  }

  /** A run that is paused already is returned as it is. */
  private wasPausedBefore({ runId, from }: Asked): boolean {
    const { asked } = this.world;
    const chain = this.world.chain(runId);
    const before = asked.findLast((one) => one.type === 'pause' && one.runId === runId && one.from < from);
    if (before === undefined || before.outcome === 'refused') return false;
    return !asked.some(
      (one) => LIFTS.has(one.type) && chain.includes(one.runId) && one.from > before.from && one.from < from,
    );
  }

  /** The run continued by its own address after its end: whether its parent waits for it is not certain from then on. */
  isAlone(runId: string): boolean {
    return this.world.asked.some(
      ({ type, runId: of, wasOver }) =>
        of === runId && (type === 'rewind' || (wasOver && type === 'resume')) && !this.isRoot(runId),
    );
  }

  isRoot(runId: string): boolean {
    return (this.world.known.get(runId)?.parentRunId ?? null) === null;
  }

  /** The run and those of its descendants that it surely waits for, none of them over. */
  async waitedFor(run: Known): Promise<readonly Known[]> {
    const found: Known[] = [];
    for (const one of [run, ...this.world.descendants(run.runId)]) {
      const chain = this.world.chain(one.runId);
      const between = chain.slice(0, chain.indexOf(run.runId));
      if (between.some((runId) => this.isAlone(runId))) continue;
      const rows = await Promise.all([...between, run.runId].map((runId) => this.world.row(runId)));
      if (!rows.every((row) => row !== null && row.endedAt === null)) continue;
      if (!(await this.isBeingCancelled(one))) found.push(one);
    }
    return found;
  }

  /** Whether the run comes to its end, whatever else is requested, with those below it. */
  private async isBeingCancelled({ runId }: Known): Promise<boolean> {
    for (const above of this.world.chain(runId)) {
      const log = await this.world.logOf(above);
      const last = log.findLast(({ type }) => type === 'cancel-requested' || type === 'rewound');
      if (last?.type === 'cancel-requested') return true;
      // It continues whatever became of those above it.
      if (this.isAlone(above)) return false;
    }
    return false;
  }

  /** Whether something in the run, or below it, waits for a person beyond a pause on request. */
  async hasReasonToStand(run: Known): Promise<boolean> {
    for (const one of [run, ...this.world.descendants(run.runId)]) {
      const row = await this.world.row(one.runId);
      if (row === null || row.endedAt !== null) continue;
      const gates = await this.world.lives.store.listOpenGates({ runId: one.runId });
      if (gates.length > 0) return true;
      const reasons = [...openPausesOf(await this.world.logOf(one.runId)).values()];
      if (reasons.some((reason) => reason !== 'requested')) return true;
    }
    return false;
  }

  /** Some time after the last request: every run that a pause or a resume was for has been reached. */
  async reached(): Promise<void> {
    const { world } = this;
    for (const run of world.known.values()) {
      const row = await world.row(run.runId);
      const chain = world.chain(run.runId);
      const root = world.known.get(chain.at(-1) ?? '');
      if (row === null || root === undefined || !(await this.waitedFor(root)).includes(run)) continue;
      const pause = this.pauseOver(run.runId);
      if (pause !== undefined && row.status === 'running')
        world.fault(`${run.name} runs after ${pause.name}: pause ${world.nameOf(pause.runId)}`);
      const resume = this.lastLift(chain);
      if (resume === undefined || row.status !== 'paused' || this.isPausedBelow(run, resume)) continue;
      if (await this.hasReasonToStand(run)) continue;
      world.fault(`${run.name} stands still after ${resume.name}: resume ${world.nameOf(resume.runId)}`);
    }
  }

  /** A run that waits for a paused run is paused as well. */
  private isPausedBelow(run: Known, resume: Asked): boolean {
    const below = new Set(this.world.descendants(run.runId).map(({ runId }) => runId));
    return this.world.asked.some(
      ({ type, runId, at, to }) =>
        type === 'pause' &&
        below.has(runId) &&
        (to === null || to > resume.from || at + INSTANT_MS >= resume.at),
    );
  }

  /** The resume, if it is the last request to these runs; not one that was sent in the instant of a pause. */
  private lastLift(chain: readonly string[]): Asked | undefined {
    const steered = this.world.asked.filter(
      ({ type, runId }) => (type === 'pause' || LIFTS.has(type)) && chain.includes(runId),
    );
    const last = steered.at(-1);
    if (last?.type !== 'resume' || last.outcome === 'lost' || last.outcome === 'refused') return undefined;
    // A resume under a key that was used before does nothing.
    if (
      last.key !== null &&
      steered.some((one) => one !== last && one.key === last.key && one.runId === last.runId)
    )
      return undefined;
    const isClear = steered.every(
      ({ type, at, to }) => type !== 'pause' || at + INSTANT_MS < last.at || (to !== null && to < last.from),
    );
    return isClear ? last : undefined;
  }

  /**
   * Checks a family that nothing happens to any more: each running run has something to move it, and parents know the
   * activity of their children.
   */
  async agree(): Promise<void> {
    const { world } = this;
    for (const run of world.known.values()) {
      const row = await world.row(run.runId);
      if (row === null || row.endedAt !== null) continue;
      const children = [];
      let isChildMoving = false;
      for (const child of world.known.values()) {
        if (child.parentRunId !== run.runId) continue;
        const found = await world.row(child.runId);
        if (found === null || found.endedAt !== null) continue;
        isChildMoving ||= found.status !== 'paused';
        if (this.isAlone(child.runId) || (await this.isBeingCancelled(child))) continue;
        children.push(found);
      }
      const isCalling = world.calls.some(({ isOpen, runId }) => isOpen && runId === run.runId);
      const isMoved = isCalling || row.wakeAt !== null || isChildMoving;
      if (row.status === 'running' && !isMoved && children.length > 0)
        world.fault(`${run.name} is running, and all of its children are paused`);
      else if (row.status === 'running' && !isMoved)
        world.fault(`${run.name} is running, and nothing is in flight, due or open of it`);
      const isStanding = pausesOf(await world.logOf(run.runId)).some(
        ({ reason, to }) => reason === 'requested' && to === null,
      );
      if (row.status === 'paused' && !isStanding && children.some(({ status }) => status === 'running'))
        world.fault(`${run.name} is paused, and a child that it waits for is running`);
    }
  }

  /** Checks what holds of all that was ever recorded. */
  async recorded(): Promise<void> {
    const { world } = this;
    for (const runId of world.known.keys()) this.logs.set(runId, await world.logOf(runId));
    for (const run of world.known.values()) {
      this.pausesWerePassedOnRequest(run);
      this.gatesWereDecided(run);
      this.resultsAreRecordedOnce(run);
      this.nothingIsCalledAfterItsEnd(run);
      this.budgetWasLookedAt(run);
    }
    await this.usageWasCountedOnce();
    await this.nobodyOutlivesItsParent();
  }

  private called(call: Call): void {
    if (call.unitId === CLEAN_UP) return;
    const pause = this.pauseOver(call.runId);
    if (pause === undefined) return;
    const { world } = this;
    world.fault(
      `${world.nameOf(call.runId)} calls ${call.unitId}, and stands still since ${pause.name}: pause ${world.nameOf(pause.runId)}`,
    );
  }

  /**
   * Going back to the latest checkpoint is a resume. One request, however often it is sent under one key, lifts of each run
   * what was open when it was sent.
   */
  private pausesWerePassedOnRequest(run: Known): void {
    const { world } = this;
    const log = this.logOf(run);
    const chain = world.chain(run.runId);
    const byAuthor = pausesOf(log).filter(({ reason }) => reason === 'before' || reason === 'after');
    const resumes = world.asked.filter(
      ({ type, runId }) => (type === 'resume' || type === 'rewind') && chain.includes(runId),
    );
    /** By key: what no other request can have lifted. */
    const byKey = new Map<string, LoggedPause[]>();
    for (const pause of byAuthor) {
      const { from, to, unitId, reason } = pause;
      if (to === null) continue;
      const lifts = resumes.filter(({ at }) => from <= at && at <= to);
      const which = `the pause ${reason} ${unitId} of ${run.name}, open from ${from - BEGUN_AT} to ${to - BEGUN_AT} ms,`;
      if (lifts.length === 0) world.fault(`${which} was passed, and no resume was sent meanwhile`);
      const requests = new Set(
        lifts.map(({ runId, key, name }) => (key === null ? name : `${runId} ${key}`)),
      );
      const [only, ...others] = lifts;
      if (only === undefined || only.key === null || requests.size > 1 || others.length < 0) continue;
      const known = byKey.get(`${only.runId} ${only.key}`);
      if (known === undefined) byKey.set(`${only.runId} ${only.key}`, [pause]);
      else known.push(pause);
    }
    for (const [key, pauses] of byKey) {
      const opened = Math.max(...pauses.map(({ from }) => from));
      const closed = Math.min(...pauses.map(({ to }) => to ?? Infinity));
      if (opened <= closed) continue;
      const units = pauses.map(({ unitId, reason }) => `${reason} ${unitId}`).join(', then ');
      world.fault(`one key (${key.split(' ')[1]}) passed several pauses of ${run.name}: ${units}`);
    }
    this.callsFollowPauses(run, byAuthor);
  }

  private callsFollowPauses(run: Known, byAuthor: readonly LoggedPause[]): void {
    const log = this.logOf(run);
    if (run.origin === 'fork' || log.some(({ type }) => type === 'rewound' || type === 'run-failed')) return;
    for (const unitId of this.pausedBefore(run.workflowId)) {
      const scheduled = log.filter((event) => event.type === 'unit-scheduled' && event['unitId'] === unitId);
      const lifted = byAuthor.filter((pause) => pause.unitId === unitId && pause.to !== null);
      if (scheduled.length > lifted.length)
        this.world.fault(
          `${unitId} of ${run.name} was begun ${scheduled.length} times, and its pause lifted ${lifted.length} times`,
        );
    }
  }

  private pausedBefore(workflowId: string): readonly string[] {
    for (const text of documentsOf(this.sketch)) {
      const document = JSON.parse(text) as {
        readonly metadata: { readonly id: string };
        readonly spec: { readonly units: readonly { readonly id: string; readonly pause?: string }[] };
      };
      if (document.metadata.id === workflowId)
        return document.spec.units.filter(({ pause }) => pause === 'before').map(({ id }) => id);
    }
    return [];
  }

  private gatesWereDecided(run: Known): void {
    const { world } = this;
    for (const event of this.logOf(run)) {
      if (event.type !== 'gate-decided') continue;
      const { gateId, responder } = event;
      const isAsked = world.asked.some(
        ({ type, name, gate }) =>
          type === 'decide' && name === responder && gate?.runId === run.runId && gate.gateId === gateId,
      );
      if (!isAsked) world.fault(`nobody decided at gate ${String(gateId)} of ${run.name}`);
    }
  }

  private resultsAreRecordedOnce(run: Known): void {
    const results = new Map<unknown, number>();
    for (const event of this.logOf(run)) {
      if (event.type !== 'unit-finished') continue;
      const count = (results.get(event['executionId']) ?? 0) + 1;
      results.set(event['executionId'], count);
      if (count > 1)
        this.world.fault(`execution ${String(event['executionId'])} of ${run.name} has two results`);
    }
  }

  private nothingIsCalledAfterItsEnd(run: Known): void {
    const log = this.logOf(run);
    for (const call of this.world.calls) {
      if (call.runId !== run.runId || call.unitId === CLEAN_UP) continue;
      // The effect of a request is dated when it came, and done when its instant is over.
      const before = log.filter(({ at }) => at + INSTANT_MS < call.at);
      const end = before.findLastIndex(({ type }) => ENDS.has(type));
      const after = end === -1 ? [] : log.slice(end + 1).filter(({ at }) => at <= call.at);
      const isBack = after.some(({ type }) => type === 'resumed' || type === 'rewound');
      if (end !== -1 && !isBack) this.world.fault(`${run.name} calls ${call.unitId} after its end`);
    }
  }

  /** Once the reported usage reaches what a run may spend, neither a unit nor a child of its own begins. */
  private budgetWasLookedAt(run: Known): void {
    const { world } = this;
    const { budget } = this.sketch;
    if (budget === null || run.workflowId !== 'root' || run.origin === 'fork') return;
    let spent = 0;
    let reached: number | null = null;
    let until = world.givenMoreAt;
    for (const event of this.logOf(run)) {
      if (event.type === 'rewound') {
        until = Math.min(until, event.at);
        break;
      }
      spent += (event['usage'] as { readonly tokens: number } | null | undefined)?.tokens ?? 0;
      if (spent >= budget.maxTokens) reached ??= event.at;
    }
    if (reached === null) return;
    const begun = new Set<string>();
    for (const { runId, key, at, unitId } of world.calls) {
      if (runId !== run.runId || unitId === CLEAN_UP || begun.has(key)) continue;
      begun.add(key);
      if (at > reached && at < until)
        world.fault(`${run.name} calls ${unitId} after it spent its budget of ${budget.maxTokens}`);
    }
    for (const child of world.known.values()) {
      const [first] = this.logOf(child);
      if (child.parentRunId !== run.runId || first === undefined) continue;
      if (first.at > reached && first.at < until)
        world.fault(`${child.name} begins after ${run.name} spent its budget of ${budget.maxTokens}`);
    }
  }

  private async usageWasCountedOnce(): Promise<void> {
    const { world } = this;
    for (const run of world.known.values()) {
      if (run.origin === 'fork') continue;
      const family = [run, ...world.descendants(run.runId)];
      const logs = family.map((one) => this.logOf(one));
      const results = logs.flat().filter(({ type }) => type === 'unit-finished').length;
      const tokens = (await world.row(run.runId))?.figures?.tokens ?? 0;
      const isCertain =
        logs.every(
          (log) => log.at(-1)?.type === 'run-completed' && log.every(({ type }) => type !== 'rewound'),
        ) && family.every((one) => !this.isAlone(one.runId) && (one === run || this.itsEndWasHeard(one)));
      if (tokens > results * TOKENS || (isCertain && tokens < results * TOKENS))
        world.fault(`${run.name} counts ${tokens} tokens, of ${results * TOKENS} that its units told`);
    }
  }

  /** The end of a run counts like the outcome of a call: not where its parent has stopped waiting for it before. */
  private itsEndWasHeard({ runId, parentRunId }: Known): boolean {
    const parent = this.world.known.get(parentRunId ?? '');
    if (parent === undefined) return false;
    return this.logOf(parent).some((event) => event.type === 'child-ended' && event['childRunId'] === runId);
  }

  /** A run that is not waited for is cancelled, except for what continues after its end by its own address. */
  private async nobodyOutlivesItsParent(): Promise<void> {
    const { world } = this;
    for (const child of world.known.values()) {
      const parent = world.known.get(child.parentRunId ?? '');
      if (parent === undefined) continue;
      const [row, above] = [await world.row(child.runId), await world.row(parent.runId)];
      if (row === null || row.endedAt !== null || above === null) continue;
      const log = this.logOf(parent);
      const end = above.endedAt === null ? -1 : log.findLastIndex(({ type }) => ENDS.has(type));
      const told = log.slice(0, end === -1 ? undefined : end);
      const last = told.findLast((event) => event['childRunId'] === child.runId);
      const isWaitedFor = last !== undefined && last.type !== 'child-ended' && last.type !== 'child-refused';
      const isCancelled = log.at(end)?.type === 'run-cancelled';
      if (end !== -1 && isCancelled && isWaitedFor && !this.isBack(child))
        world.fault(`${child.name} outlives the cancel of ${parent.name}, which waited for it`);
      else if (end !== -1 && !this.isAlone(child.runId))
        world.fault(`${child.name} is ${row.status}, and ${parent.name} is over`);
    }
  }

  /** Whether a rewind took it back to before its own end. */
  private isBack(run: Known): boolean {
    const log = this.logOf(run);
    return (
      log.findLastIndex(({ type }) => type === 'rewound') > log.findLastIndex(({ type }) => ENDS.has(type))
    );
  }

  private logOf({ runId }: Known): readonly Logged[] {
    return this.logs.get(runId) ?? [];
  }
}

/** The pauses that are recorded, and when each was lifted. */
function pausesOf(log: readonly Logged[]): readonly LoggedPause[] {
  const found = new Map<unknown, LoggedPause>();
  for (const event of log) {
    if (event.type === 'paused')
      found.set(event.seq, {
        seq: event.seq,
        from: event.at,
        unitId: String(event['unitId']),
        reason: String(event['reason']),
        to: null,
      });
    const lifted = event.type === 'resumed' ? found.get(event['pauseId']) : undefined;
    if (lifted !== undefined) lifted.to = event.at;
  }
  return [...found.values()];
}

/** By seq: the reasons of the pauses that are open at the end of the log; a rewind reopens those that it goes back to. */
function openPausesOf(log: readonly Logged[]): Map<number, string> {
  let open = new Map<number, string>();
  for (const event of log) {
    if (event.type === 'paused') open.set(event.seq, String(event['reason']));
    else if (event.type === 'resumed') open.delete(Number(event['pauseId']));
    else if (event.type === 'rewound')
      open = openPausesOf(log.filter(({ seq }) => seq <= Number(event['toSeq'])));
  }
  return open;
}
