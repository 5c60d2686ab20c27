import { anyFreePort } from './free-port.js';
import { RunningProgram } from './child-process.js';
import { commandFor, unitOf, unitSources } from './unit-files.js';

/** A Java program is compiled first. */
const LISTENS_WITHIN_MS = 30_000;

interface DevUnit {
  readonly file: string;
  readonly port: number;
  readonly program: RunningProgram;
}

/** The units of the folder, each a program that listens on a port of its own, which it keeps when it is started again. */
export class DevUnits {
  readonly #units = new Map<string, DevUnit>();

  constructor(
    private readonly say: (line: string) => void,
    private readonly signal: AbortSignal,
  ) {}

  /** Starts what is new, and what has changed again; resolves once they listen. */
  async follow(changed: ReadonlySet<string>): Promise<void> {
    const sources = await unitSources();
    const isImportChanged = sources.some((source) => unitOf(source) === null && changed.has(source));
    await Promise.all(
      sources.map(async (source) => {
        const name = unitOf(source);
        if (name === null) return;
        const before = this.#units.get(name);
        const isSame = before?.file === source && !changed.has(source) && !isImportChanged;
        if (isSame) return;
        await before?.program.stop();
        await this.#start(name, source, before?.port);
      }),
    );
  }

  /** Where the unit is called; null: there is none of this name. */
  endpointOf(name: string): string | null {
    const unit = this.#units.get(name);
    return unit === undefined ? null : `http://127.0.0.1:${unit.port}/`;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#units.values()].map(({ program }) => program.stop()));
  }

  async #start(name: string, file: string, before: number | undefined): Promise<void> {
    const port = before ?? (await anyFreePort());
    const say = (line: string): void => this.say(`${name} | ${line}`);
    const program = new RunningProgram({ command: commandFor(file), env: { PORT: String(port) }, say });
    this.#units.set(name, { file, port, program });
    if (await program.listensOn(port, LISTENS_WITHIN_MS, this.signal)) {
      this.say(`${file}: ${before === undefined ? 'started' : 'reloaded'}`);
      void program.ended.then((how) => {
        if (this.#units.get(name)?.program === program && !this.signal.aborted) this.say(`${file}: ${how}`);
      });
    } else {
      const isSilent = `does not listen on PORT, which is ${port}`;
      const how = await Promise.race([program.ended, isSilent]);
      this.say(`${file}: ${how}; it is started again when it is saved`);
    }
  }
}
