import { isForPeople } from '../terminal/for-people.js';
import { jsonText } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { TypedLines } from '../input/typed-lines.js';

export interface OpenGate {
  readonly gateId: number;
  readonly unitId: string;
  readonly title: string;
  readonly description: string | null;
  readonly payload: unknown;
}

export interface GatePolicy {
  readonly approve?: boolean | undefined;
  readonly reject?: boolean | undefined;
  readonly responder: string;
}

const MAX_PAYLOAD = 1_000;
const DECISIONS: Readonly<Record<string, boolean | null>> = {
  a: true,
  approve: true,
  r: false,
  reject: false,
  '': null,
  l: null,
  leave: null,
};

/** Decides at gates, by the options of the command line or by asking at the terminal. */
export class GateKeeper {
  readonly #lines: TypedLines | null;

  constructor(
    private readonly policy: GatePolicy,
    /** Null: something else reads stdin. */
    stdin: NodeJS.ReadStream | null,
    private readonly stderr: NodeJS.WriteStream,
  ) {
    this.#lines = stdin !== null && isForPeople(stdin) && isForPeople(stderr) ? new TypedLines(stdin) : null;
  }

  get responder(): string {
    return this.policy.responder;
  }

  /** Whether it asks at the terminal. */
  get asks(): boolean {
    return this.policy.approve !== true && this.policy.reject !== true && this.#lines !== null;
  }

  /** True: approved, false: rejected, null: left open. Throws the signal's reason. */
  async decision(gate: OpenGate, signal: AbortSignal): Promise<boolean | null> {
    if (this.policy.approve === true) return true;
    if (this.policy.reject === true) return false;
    if (this.#lines === null) return null;
    this.stderr.write(aboutGate(gate));
    for (;;) {
      this.stderr.write('approve (a), reject (r), or leave it open (l)? ');
      const typed = await this.#lines.next(signal);
      if (typed === null) return null;
      const decided = DECISIONS[typed.trim().toLowerCase()];
      if (decided !== undefined) return decided;
      this.stderr.write(`${oneLine(typed, 40)} is none of these: type a, r or l.\n`);
    }
  }

  /** Asks nothing more: stdin is given back. */
  close(): void {
    this.#lines?.close();
  }
}

/** The gate's description and payload, which its line does not contain. */
function aboutGate({ description, payload }: OpenGate): string {
  const lines: string[] = [];
  if (description !== null) lines.push(`  ${oneLine(description, MAX_PAYLOAD)}`);
  if (payload !== null && payload !== undefined)
    lines.push(`  ${oneLine(jsonText(payload, false), MAX_PAYLOAD)}`);
  return lines.map((line) => `${line}\n`).join('');
}
