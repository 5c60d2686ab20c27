import { documentsOf, type Deed, type FamilySketch } from './family-arbitrary.js';
import { FamilyLaws } from './family-laws.js';
import { BEGUN_AT, GRACE_MS, INSTANT_MS } from './family-lives.js';
import type { Shelf } from './family-shelf.js';
import { FamilyWorld, type Known } from './family-world.js';

/** How long a request, and what follows from it at once, takes. */
const SOON_MS = 2 * INSTANT_MS + 10;
/** Longer than any wait, back-off or call. */
const CALM_MS = 20_000;
const MOST_ROUNDS = 150;
/** How often a run that is rejected, or whose unit fails permanently, is tried again. */
const MOST_RETRIES = 40;

/** Plays one story to its end; returns what was wrong, as a text to read, or null. */
export async function playFamily(
  sketch: FamilySketch,
  deeds: readonly Deed[],
  shelf: Shelf,
): Promise<string | null> {
  const world = new FamilyWorld(shelf);
  const play = new Play(world, new FamilyLaws(world, sketch));
  try {
    await world.begin(sketch);
    for (const deed of deeds) {
      if (deed.do === 'stand-still' || deed.do === 'go-on') await play.look(deed.do, world.pick(deed.who));
      else await world.perform(deed);
      if (world.faults.length > 0) break;
    }
    if (world.faults.length === 0) await play.end();
  } catch (error) {
    world.fault(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  const logs = world.faults.length === 0 ? [] : await logsOf(world);
  await world.lives.close();
  if (world.faults.length === 0) return null;
  return [...world.faults, '', ...documentsOf(sketch), '', ...world.story, '', ...logs].join('\n');
}

/** What the runs recorded, one line each. */
async function logsOf(world: FamilyWorld): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { runId, name } of world.known.values()) {
    const row = await world.row(runId);
    const events = (await world.logOf(runId)).map((event) => {
      const about = ['unitId', 'reason', 'pauseId', 'childId', 'orderSeq', 'status']
        .filter((field) => event[field] !== undefined && event[field] !== '')
        .map((field) => `${field} ${String(event[field])}`);
      return `${event.seq}@${event.at - BEGUN_AT} ${event.type}${about.length > 0 ? ` (${about.join(', ')})` : ''}`;
    });
    lines.push(`${name} is ${row?.status ?? 'not there'}: ${events.join('; ')}`);
  }
  return lines;
}

class Play {
  constructor(
    private readonly world: FamilyWorld,
    private readonly laws: FamilyLaws,
  ) {}

  /** Sends a pause or a resume that nothing disturbs, and checks what it reached. */
  async look(what: 'stand-still' | 'go-on', run: Known): Promise<void> {
    await this.calm(SOON_MS);
    await this.world.steer(what === 'stand-still' ? 'pause' : 'resume', run);
    await this.world.pass(INSTANT_MS + GRACE_MS + SOON_MS);
    await this.laws.reached();
  }

  /** Takes back a planned death of the process, and lets so much time pass. */
  private async calm(ms: number): Promise<void> {
    this.world.lives.killWith(null);
    await this.world.pass(ms);
  }

  /** Mends what is broken, decides all gates and lifts all pauses by the address of the root: then all of it ends. */
  async end(): Promise<void> {
    const { world, laws } = this;
    world.tell('from here on nothing is killed, and everything is decided and resumed');
    world.isMended = true;
    await this.calm(CALM_MS);
    await laws.agree();
    await laws.reached();
    const roots = [...world.known.values()].filter(({ parentRunId }) => parentRunId === null);
    for (const root of roots) await this.bringToEnd(root);
    if (world.faults.length > 0) return;
    await world.pass(CALM_MS);
    await laws.agree();
    await laws.recorded();
    // A run that continued by its own address has to be brought to its end by itself.
    for (const run of world.known.values()) if (laws.isAlone(run.runId)) await this.bringToEnd(run);
  }

  private async bringToEnd(run: Known): Promise<void> {
    const { world, laws } = this;
    let retries = 0;
    for (let round = 0; round < MOST_ROUNDS && world.faults.length === 0; round++) {
      const row = await world.row(run.runId);
      if (row === null || row.status === 'completed' || row.isCancelled) return;
      if (row.status === 'failed' && retries++ === MOST_RETRIES) return;
      const before = await this.lengthOf(run);
      const gate = row.status === 'paused' ? await this.openGate(run) : undefined;
      if (gate !== undefined) await world.decide(gate, true, row.parentRunId === null ? 'root' : 'own');
      else if (row.status !== 'running') await world.steer('resume', run, { budget: { maxTokens: 1e9 } });
      await world.pass(row.status === 'running' ? CALM_MS : SOON_MS);
      // What the request caused runs until it stops again.
      if ((await world.row(run.runId))?.status === 'running') await world.pass(CALM_MS);
      await laws.agree();
      if (before !== (await this.lengthOf(run))) continue;
      const item = (await world.lives.engine.runs.list({ idPrefix: run.runId })).items[0];
      world.fault(
        `${run.name} is ${row.status} and does not move, and waits for ${String(item?.waitingFor)}`,
      );
    }
    const row = await world.row(run.runId);
    if (world.faults.length === 0 && row?.endedAt === null) world.fault(`${run.name} comes to no end`);
  }

  private async openGate(
    run: Known,
  ): Promise<{ readonly runId: string; readonly gateId: number } | undefined> {
    const { runId, workflowId } = run;
    const [gate] = await this.world.lives.engine.gates.open({ runId, workflowId });
    return gate === undefined ? undefined : { runId: gate.runId ?? runId, gateId: gate.gateId };
  }

  /** How long the logs of the family are. */
  private async lengthOf(run: Known): Promise<number> {
    let sum = 0;
    for (const { runId } of [run, ...this.world.descendants(run.runId)])
      sum += (await this.world.row(runId))?.lastSeq ?? 0;
    return sum;
  }
}
