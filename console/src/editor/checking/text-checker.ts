import type { DocumentFault, WorkflowCheck } from 'flowgate-client/remote';
import type { TextReading } from '../../documents/text-reading.js';
import { foldFaults, type Mark } from './fold-faults.js';

/** How far a text is checked. `alone`: the service cannot be asked, so only the reader has looked at it. */
export type CheckState = 'checking' | 'checked' | 'alone';

interface Hooks {
  /** The text as it is now, and its length, which costs nothing. */
  readonly text: () => string;
  readonly length: () => number;
  /** Null: it cannot be read here. */
  readonly read: (text: string) => Promise<TextReading | null>;
  /** Null: nobody may, or can, be asked. Rejects where the service does not answer. */
  readonly ask: ((text: string, signal: AbortSignal) => Promise<WorkflowCheck>) | null;
  readonly onReading: (reading: TextReading, text: string) => void;
  readonly onMarks: (marks: readonly Mark[]) => void;
  readonly onState: (state: CheckState) => void;
}

/** Of a text up to this many characters each change is read at once; a longer one is left to rest first. */
const SHORT = 256 * 1_024;
const READ_AFTER_MS = { short: 30, long: 300 };
/** After the last change. */
const ASK_AFTER_MS = { short: 300, long: 1_500 };

/** Has a text checked while it is written: at once by the reader, and by the service once it rests. One question to each at a time. */
export class TextChecker {
  #version = 0;
  #readTimer: ReturnType<typeof setTimeout> | null = null;
  #askTimer: ReturnType<typeof setTimeout> | null = null;
  #asking: AbortController | null = null;
  #isReading = false;
  #isEnded = false;
  #changedAt = 0;
  #reader: readonly DocumentFault[] | null = null;
  /** Whose faults are shown: those of the service stay until it has answered about the text of now. */
  #shown: 'reader' | 'service' | 'none' = 'none';

  constructor(private readonly hooks: Hooks) {}

  /** The text is another, or what the service is asked with. */
  changed(): void {
    this.#version += 1;
    this.#changedAt = Date.now();
    this.#stopAsking();
    this.hooks.onState('checking');
    if (this.#readTimer !== null) clearTimeout(this.#readTimer);
    this.#readTimer = setTimeout(() => void this.#read(), this.#of(READ_AFTER_MS));
  }

  /** What the service said when it refused the text of now. */
  refused(details: readonly DocumentFault[]): void {
    this.#stopAsking();
    this.#show('service', foldFaults({ reader: null, service: { ok: false, details, warnings: [] } }));
    this.hooks.onState('checked');
  }

  end(): void {
    this.#isEnded = true;
    this.#version += 1;
    this.#stopAsking();
    if (this.#readTimer !== null) clearTimeout(this.#readTimer);
  }

  async #read(): Promise<void> {
    this.#readTimer = null;
    // What is being read is older: its answer begins the next.
    if (this.#isReading) return;
    const version = this.#version;
    const text = this.hooks.text();
    this.#isReading = true;
    const reading = await this.hooks.read(text);
    this.#isReading = false;
    if (this.#isEnded) return;
    if (version !== this.#version) {
      if (this.#readTimer === null) this.#readTimer = setTimeout(() => void this.#read(), 0);
      return;
    }
    this.#reader = reading?.faults ?? null;
    if (reading !== null) this.hooks.onReading(reading, text);
    if (reading !== null && reading.faults.length > 0) {
      this.#show('reader', foldFaults({ reader: reading.faults, service: null }));
      this.hooks.onState('checked');
      return;
    }
    if (this.#shown === 'reader') this.#show('none', []);
    const rest = Math.max(0, this.#changedAt + this.#of(ASK_AFTER_MS) - Date.now());
    this.#askTimer = setTimeout(() => void this.#ask(version, text), rest);
  }

  async #ask(version: number, text: string): Promise<void> {
    this.#askTimer = null;
    if (this.hooks.ask === null) return this.#stayAlone();
    const asking = new AbortController();
    this.#asking = asking;
    try {
      const service = await this.hooks.ask(text, asking.signal);
      if (version !== this.#version || asking.signal.aborted) return;
      this.#show('service', foldFaults({ reader: this.#reader, service }));
      this.hooks.onState('checked');
    } catch {
      if (version === this.#version && !asking.signal.aborted) this.#stayAlone();
    }
  }

  #stayAlone(): void {
    this.#show('none', []);
    this.hooks.onState('alone');
  }

  #stopAsking(): void {
    if (this.#askTimer !== null) clearTimeout(this.#askTimer);
    this.#askTimer = null;
    this.#asking?.abort();
    this.#asking = null;
  }

  #show(whose: 'reader' | 'service' | 'none', marks: readonly Mark[]): void {
    this.#shown = whose;
    this.hooks.onMarks(marks);
  }

  #of({ short, long }: typeof READ_AFTER_MS): number {
    return this.hooks.length() > SHORT ? long : short;
  }
}
