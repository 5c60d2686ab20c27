import fc from 'fast-check';
import type { UnitServer } from '../support/unit-server.js';
import { document, mock } from '../support/workflow-documents.js';
import { fuzzCases, type FuzzCase } from './support/case-arbitrary.js';
import { startFuzzUnits } from './support/fuzz-units.js';
import { CasePlayer } from './support/play-case.js';
import { startWatchedService, type WatchedService } from './support/watched-service.js';

const numRuns = Number(process.env['FLOWGATE_FUZZ_CASES'] ?? 2_000);
const given = process.env['FLOWGATE_FUZZ_SEED'];
const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
const LONGEST_STRETCH_MS = 250;
/** What the service holds after all that, its garbage collected. */
const MOST_HEAP_MIB = 192;
const LOOK_AT_HEAP_EVERY = 500;
const SHRINK_MS = 30_000;
const SHOWN = 3_000;

const FIRST: FuzzCase = {
  workflowId: 'first',
  yaml: document('first', [mock('a', '${{ input.n + 1 }}')], { input: { type: 'object', required: ['n'] } }),
  input: { n: 1 },
  moves: ['rewind'],
};

/** The service that is up now; a case that ends it does not end the search for a smaller one. */
class Arena {
  private service: WatchedService | null = null;
  private player: CasePlayer | null = null;
  private played = 0;
  private shrinkUntil = Infinity;
  readonly outcomes = new Map<string, number>();
  longestMs = 0;
  heapMib = 0;

  constructor(private readonly units: UnitServer) {}

  async play(fuzzCase: FuzzCase): Promise<void> {
    // To everything smaller it is too late: what has been found is small enough.
    if (Date.now() > this.shrinkUntil) return;
    const { service, player } = await this.open();
    try {
      const outcome = await player.play(fuzzCase);
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
      this.played += 1;
      const isHeapDue = this.played % LOOK_AT_HEAP_EVERY === 0;
      const { longestMs } = await service.look('look');
      this.longestMs = Math.max(this.longestMs, longestMs);
      if (longestMs > LONGEST_STRETCH_MS)
        throw new Error(`the loop stood still for ${Math.round(longestMs)} ms`);
      if (isHeapDue) await this.lookAtHeap(service);
    } catch (error) {
      const fault = service.ended() ?? (error instanceof Error ? error.message : String(error));
      if (this.shrinkUntil === Infinity) {
        process.stdout.write(`fuzz: FLOWGATE_FUZZ_SEED=${seed}: ${fault.slice(0, 500)}; looking for less\n`);
        this.shrinkUntil = Date.now() + SHRINK_MS;
      }
      // What was begun must not burden the next case.
      await this.close();
      throw new Error(fault, { cause: error });
    }
  }

  async close(): Promise<void> {
    this.player?.leave();
    await this.service?.close();
    this.service = null;
  }

  private async open() {
    if (this.service === null || this.player === null || this.service.ended() !== null) {
      await this.close();
      this.service = await startWatchedService();
      this.player = new CasePlayer(this.service.url, this.units.url);
      // To begin takes longer than anything later may.
      await this.player.play(FIRST);
      await this.service.look('look');
    }
    return { service: this.service, player: this.player };
  }

  private async lookAtHeap(service: WatchedService): Promise<void> {
    this.heapMib = (await service.look('look-after-gc')).heapMib;
    await service.look('look');
    if (this.heapMib > MOST_HEAP_MIB)
      throw new Error(`${Math.round(this.heapMib)} MiB of heap after ${this.played} cases`);
  }
}

/** The seed gives the rest. */
function cut(text = ''): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}… (${text.length} characters)` : text;
}

let units: UnitServer;
let arena: Arena;
beforeAll(async () => {
  units = await startFuzzUnits();
  arena = new Arena(units);
});
afterAll(async () => {
  await arena.close();
  await units.close();
});

describe('random documents and inputs', () => {
  it(
    'are run or refused with a name, hold up nobody and leave nothing behind',
    async () => {
      const property = fc.asyncProperty(fuzzCases, (fuzzCase) => arena.play(fuzzCase));
      const { failed, counterexample, counterexamplePath, errorInstance } = await fc.check(property, {
        numRuns,
        seed,
      });
      const outcomes = JSON.stringify(Object.fromEntries(arena.outcomes));
      const figures = `the loop stood still for ${Math.round(arena.longestMs)} ms at most, ${Math.round(arena.heapMib)} MiB`;
      process.stdout.write(
        `fuzz: FLOWGATE_FUZZ_SEED=${seed} FLOWGATE_FUZZ_CASES=${numRuns}: ${outcomes}; ${figures}\n`,
      );
      if (!failed) return;
      const smallest = counterexample?.[0];
      const said = (errorInstance as Error | null)?.message ?? 'it failed';
      throw new Error(
        `${said}\n(FLOWGATE_FUZZ_SEED=${seed}, path ${counterexamplePath})\nthe smallest such document:\n` +
          `${cut(smallest?.yaml)}\nwith the input ${cut(JSON.stringify(smallest?.input))}, then ${smallest?.moves.join(', ')}`,
      );
    },
    120_000 + numRuns * 200,
  );
});
