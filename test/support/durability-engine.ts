import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createEngine,
  InMemoryMemoryIndex,
  type Engine,
  type EngineLogger,
  type EngineOptions,
  type UnitHandler,
} from '../../src/engine/index.js';
import { ManualClock } from '../../src/engine/testing/manual-clock.js';
import { SteeredStore } from './durability-store.js';

const POSITION = 'last-position.txt';

export type Units = Readonly<Record<string, UnitHandler>>;

/** What an engine said, at which level. */
export interface Said {
  readonly level: keyof EngineLogger;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface DurableEngine {
  readonly engine: Engine;
  readonly store: SteeredStore;
  readonly clock: ManualClock;
  readonly said: readonly Said[];
}

/** Engines over data folders, for one test file; `clear` ends and removes them all. */
export class DurableEngines {
  private readonly folders: string[] = [];
  private readonly engines: Engine[] = [];

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'flowgate-durability-'));
    this.folders.push(folder);
    return folder;
  }

  /** An open engine over the real SQLite store. `units` are there before the runs are recovered. */
  async open(
    folder: string,
    units: Units = {},
    options: Partial<EngineOptions> & { readonly now?: number } = {},
  ): Promise<DurableEngine> {
    const { now, ...rest } = options;
    const store = new SteeredStore(folder);
    const clock = new ManualClock(now);
    const said: Said[] = [];
    const memory = new InMemoryMemoryIndex();
    const engine = createEngine({
      store,
      clock,
      memory,
      logger: loggerInto(said),
      shutdownGraceMs: 0,
      sameInstantMs: 0,
      ...rest,
    });
    this.engines.push(engine);
    for (const [uses, handler] of Object.entries(units)) engine.registerUnit(uses, handler);
    await engine.open();
    return { engine, store, clock, said };
  }

  /** The data folder as a power cut at this moment would leave it; the process that owns it continues. */
  afterPowerCut(folder: string): string {
    const copy = this.folder();
    mkdirSync(copy, { recursive: true });
    for (const file of ['runs.db', 'runs.db-wal']) {
      if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(copy, file));
    }
    return copy;
  }

  /** The data folder as a crash of the process would leave it: what the operating system was given is there. */
  afterCrash(folder: string): string {
    const copy = this.folder();
    // Another thread writes while it is copied: a position that is copied after the log might be one that this lacks.
    const position = join(folder, POSITION);
    if (existsSync(position)) copyFileSync(position, join(copy, POSITION));
    const filter = (file: string): boolean => !file.includes('owner.lock') && !file.endsWith(POSITION);
    cpSync(folder, copy, { recursive: true, filter });
    return copy;
  }

  async clear(): Promise<void> {
    for (const engine of this.engines.splice(0)) await engine.close();
    for (const folder of this.folders.splice(0))
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}

function loggerInto(said: Said[]): EngineLogger {
  const at =
    (level: keyof EngineLogger) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      said.push({ level, message, fields });
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/** Lets everything happen that nothing blocks. */
export async function aWhile(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 60));
}

/** Whether a promise has come to its end, without waiting for it. */
export function outcomeOf(promise: Promise<unknown>): { isOpen: boolean } {
  const outcome = { isOpen: true };
  const close = (): void => {
    outcome.isOpen = false;
  };
  promise.then(close, close);
  return outcome;
}
