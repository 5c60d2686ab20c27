import { createInterface } from 'node:readline/promises';
import { isForPeople } from '../terminal/for-people.js';
import { jsonText } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';

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
  constructor(
    private readonly policy: GatePolicy,
    /** Null: something else reads stdin. */
    private readonly stdin: NodeJS.ReadStream | null,
    private readonly stderr: NodeJS.WriteStream,
  ) {}

  get responder(): string {
    return this.policy.responder;
  }

  /** True: approved, false: rejected, null: left open. Throws the signal's reason. */
  async decision(gate: OpenGate, signal: AbortSignal): Promise<boolean | null> {
    if (this.policy.approve === true) return true;
    if (this.policy.reject === true) return false;
    const { stdin, stderr } = this;
    if (stdin === null || !isForPeople(stdin) || !isForPeople(stderr)) return null;
    // Without its own line editing the terminal keeps Ctrl-C, Ctrl-D and the echo.
    const lines = createInterface({ input: stdin, output: stderr, terminal: false });
    const ended = new AbortController();
    lines.once('close', () => ended.abort());
    try {
      stderr.write(aboutGate(gate));
      for (;;) {
        const question = 'approve (a), reject (r), or leave it open (l)? ';
        const typed = await lines.question(question, { signal: AbortSignal.any([signal, ended.signal]) });
        const decided = DECISIONS[typed.trim().toLowerCase()];
        if (decided !== undefined) return decided;
        stderr.write(`${oneLine(typed, 40)} is none of these: type a, r or l.\n`);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (ended.signal.aborted) return null;
      throw error;
    } finally {
      lines.close();
      stdin.pause();
    }
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
