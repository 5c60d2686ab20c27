import { anyFreePort } from './free-port.js';
import { RunningProgram } from './child-process.js';
import { commandFor, unitOf, unitSources } from './unit-files.js';
import { markOf } from './watched-files.js';

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
  /** By name, also of units whose file is gone: runs in flight find one that comes back where it was. */
  readonly #ports = new Map<string, number>();
  /** Sources that have the name of another one. */
  #doubled: ReadonlySet<string> = new Set();

  constructor(
    private readonly say: (line: string) => void,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Starts what is new, and what has changed again, and stops what is gone; resolves once all listen, with whether there are
   * other units than before.
   */
  async follow(changed: ReadonlySet<string>): Promise<boolean> {
    const sources = await unitSources();
    const isImportChanged = sources.some((source) => unitOf(source) === null && changed.has(source));
    const files = this.#filesByName(sources);
    const before = [...this.#units.keys()];
    await Promise.all(before.filter((name) => !files.has(name)).map((name) => this.#remove(name)));
    await Promise.all(
      [...files].map(async ([name, source]) => {
        const present = this.#units.get(name);
        const isSame = present?.file === source && !changed.has(source) && !isImportChanged;
        if (isSame) return;
        await present?.program.stop();
        await this.#start(name, source, present === undefined ? 'started' : 'reloaded');
      }),
    );
    return before.length !== files.size || before.some((name) => !files.has(name));
  }

  /** Where the unit is called; null: there is none of this name. */
  endpointOf(name: string): string | null {
    const unit = this.#units.get(name);
    return unit === undefined ? null : `http://127.0.0.1:${unit.port}/`;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#units.values()].map(({ program }) => program.stop()));
  }

  /** Of sources with one name the first is started. */
  #filesByName(sources: readonly string[]): ReadonlyMap<string, string> {
    const files = new Map<string, string>();
    const doubled = new Set<string>();
    for (const source of sources) {
      const name = unitOf(source);
      if (name === null) continue;
      const first = files.get(name);
      if (first === undefined) files.set(name, source);
      else doubled.add(source);
      if (first !== undefined && !this.#doubled.has(source))
        this.say(`${source}: not started, because ${first} has its name; remove one of them`);
    }
    this.#doubled = doubled;
    return files;
  }

  async #remove(name: string): Promise<void> {
    const unit = this.#units.get(name);
    this.#units.delete(name);
    await unit?.program.stop();
    if (unit !== undefined) this.say(`${unit.file}: stopped, as its file is gone`);
  }

  async #start(name: string, file: string, done: 'started' | 'reloaded'): Promise<void> {
    const port = this.#ports.get(name) ?? (await anyFreePort());
    // Whoever stops all units does not know of one that begins afterwards.
    this.signal.throwIfAborted();
    const say = (line: string): void => this.say(`${name} | ${line}`);
    const program = new RunningProgram({ command: commandFor(file), env: { PORT: String(port) }, say });
    this.#ports.set(name, port);
    this.#units.set(name, { file, port, program });
    const isSilent = `does not listen on PORT, which is ${port}`;
    const until = `once it does, or after ${LISTENS_WITHIN_MS / 1_000} s`;
    const onLong = (): void => this.say(`${file}: ${isSilent}: workflows are registered ${until}`);
    const wait = { withinMs: LISTENS_WITHIN_MS, signal: this.signal, onLong };
    // Somebody may mend meanwhile what keeps it: it is started again, and its wait is over.
    const begun = await markOf(file);
    const isVain = async (): Promise<boolean> => (await markOf(file)) !== begun;
    if (await program.listensOn(port, { ...wait, isVain })) {
      this.say(`${file}: ${done}`);
      void program.ended.then((how) => {
        if (this.#units.get(name)?.program === program && !this.signal.aborted) this.say(`${file}: ${how}`);
      });
    } else if (!(await isVain())) {
      const how = await Promise.race([program.ended, isSilent]);
      this.say(`${file}: ${how}; it is started again when it is saved`);
    }
  }
}
