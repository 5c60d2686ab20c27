import { setTimeout as after } from 'node:timers/promises';
import { readConfig } from '../../config/service/read-config.js';
import { runSettings } from '../../config/service/run-settings.js';
import { createEngine } from '../../engine/index.js';
import { UsageError } from '../command-errors.js';
import { EXIT } from '../exit-code.js';
import { clientOf } from '../remote/server/client-of.js';
import { presets } from '../settings/presets.js';
import { Interruption } from '../terminal/interruption.js';
import { note } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { registerDocument, type Registering } from './dev-documents.js';
import { DevRun } from './dev-run.js';
import { startServer, type DevServer } from './dev-server.js';
import { DevUnits } from './dev-units.js';
import { freePortFrom } from './free-port.js';
import { KeyPresses } from './key-presses.js';
import { bindingsFileOf, devDocuments, WatchedFiles } from './watched-files.js';

const LOOK_AGAIN_MS = 300;

export interface DevArguments {
  readonly files?: readonly string[] | undefined;
  readonly port: number;
}

/**
 * Serves the workflows of a folder while somebody writes them, until Ctrl-C: the server and each unit are processes of their own,
 * which end with this one.
 */
export async function dev({ files = [], port: wanted }: DevArguments): Promise<number> {
  if ((await devDocuments(files)).length === 0)
    throw new UsageError('There is no workflow here: name a document, or make a project with flowgate init.');
  const port = await freePortFrom(wanted);
  if (port !== wanted) note(`Port ${wanted} is taken: this one listens on ${port}.`);
  const interruption = new Interruption();
  const { signal } = interruption;
  // Until there is a run to show, lines are only written.
  let say: (line: string) => void = note;
  const units = new DevUnits((line) => say(line), signal);
  const engine = createEngine(runSettings(readConfig(process.env).config));
  let server: DevServer | null = null;
  try {
    server = await startServer(port, (line) => say(line), signal);
    if (server === null) return EXIT.failed;
    const { address, program } = server;
    const client = clientOf({ server: address });
    // A server that is gone ends what follows it, as Ctrl-C does.
    const over = new AbortController();
    const whileServed = AbortSignal.any([signal, over.signal]);
    const runs = new DevRun({ client, server: address, signal: whileServed });
    say = (line) => runs.say(line);
    const keys = new KeyPresses(process.stdin, (key) => (key === 'r' ? void runs.again() : undefined));
    try {
      const folder = new DevFolder(files, { engine, client, units, signal: whileServed }, runs);
      await folder.look();
      greet(address, keys.start());
      const ended = program.ended.then((how) => `The server ${how}.`);
      const why = await Promise.race([folder.follow(), ended]);
      say(why);
      return EXIT.failed;
    } finally {
      keys.stop();
      over.abort();
      await runs.settled();
    }
  } finally {
    await Promise.all([units.stop(), server?.program.stop(), engine.close()]);
    interruption.stop();
  }
}

function greet(address: string, hasKeys: boolean): void {
  note(`Console:  ${address}/console/`);
  if (address !== presets().server.value) note(`Elsewhere say: export FLOWGATE_SERVER=${address}`);
  note(hasKeys ? 'r runs with the last input, Ctrl-C ends it.' : 'Ctrl-C ends it.');
}

/** The documents and units of the folder, as they were when it was looked at last. */
class DevFolder {
  readonly #watched = new WatchedFiles();
  /** Those that were not registered when they were saved. */
  readonly #refused = new Set<string>();

  constructor(
    private readonly named: readonly string[],
    private readonly registering: Registering,
    private readonly runs: DevRun,
  ) {}

  /** Starts and registers what has changed. */
  async look(): Promise<void> {
    const documents = await devDocuments(this.named);
    const changed = await this.#watched.changed(documents);
    if (changed.size === 0) return;
    const areOtherUnits = await this.registering.units.follow(changed);
    for (const file of documents) {
      const isSaved = changed.has(file) || changed.has(bindingsFileOf(file));
      // Where a document's units are called may be elsewhere now.
      if (isSaved || areOtherUnits) await this.#register(file, isSaved);
    }
  }

  async #register(file: string, isSaved: boolean): Promise<void> {
    const { workflowId, lines } = await registerDocument(file, this.registering);
    for (const line of lines) this.runs.say(line);
    if (workflowId === null) {
      this.#refused.add(file);
      this.runs.say(`${oneLine(file)}: the last version without faults stays`);
    } else {
      if (isSaved || this.#refused.has(file)) this.runs.choose({ workflowId, file });
      this.#refused.delete(file);
    }
  }

  /** Never resolves; throws the signal's reason. */
  async follow(): Promise<never> {
    const { signal } = this.registering;
    for (;;) {
      await after(LOOK_AGAIN_MS, undefined, { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
      await this.look();
    }
  }
}
