import { createInterface } from 'node:readline';
import type { GateItem } from 'flowgate-client';
import { ageText } from '../terminal/age.js';
import { isForPeople } from '../terminal/for-people.js';
import { jsonText } from '../terminal/output.js';
import { oneLine } from '../terminal/printable.js';
import { runEnding } from '../tree/run-ending.js';

const MAX_HEAD_CHARS = 500;
const MAX_PAYLOAD_CHARS = 1_000;

/** Asks at the terminal at which of the open gates a decision is meant. The only one is taken once it is shown. */
export class GateQuestion {
  /** The most gates to choose from. */
  static readonly most = 20;

  constructor(
    private readonly stdin: NodeJS.ReadStream,
    private readonly stderr: NodeJS.WriteStream,
  ) {}

  /** Whether somebody sits there who could answer. */
  get canAsk(): boolean {
    return isForPeople(this.stdin) && isForPeople(this.stderr);
  }

  /** Null: none of them. `open`: how many gates there are, of which these are the newest. Throws the signal's reason. */
  async which(gates: readonly GateItem[], open: number, signal: AbortSignal): Promise<GateItem | null> {
    const [only] = gates;
    const now = Date.now();
    if (only !== undefined && gates.length === 1 && open <= 1) {
      this.stderr.write(`${gateLines(only, now).join('\n')}\n`);
      return only;
    }
    const lines = gates.flatMap((gate, index) => [
      `${String(index + 1).padStart(3)}  ${gateLines(gate, now).join('\n     ')}`,
    ]);
    const others = open - gates.length;
    if (others > 0) lines.push(`     and ${others} older ones: flowgate gates lists them`);
    this.stderr.write(`${lines.join('\n')}\n`);
    return this.#asked(gates, signal);
  }

  async #asked(gates: readonly GateItem[], signal: AbortSignal): Promise<GateItem | null> {
    const { stdin, stderr } = this;
    const question = `Which of them (1 to ${gates.length}; nothing: none)? `;
    // Without its own line editing the terminal keeps Ctrl-C, Ctrl-D and the echo.
    const lines = createInterface({ input: stdin, terminal: false, signal });
    try {
      stderr.write(question);
      // Lines that are typed ahead wait for their turn.
      for await (const typed of lines) {
        const choice = choiceOf(typed, gates.length);
        if (choice !== undefined) return choice === null ? null : (gates[choice - 1] ?? null);
        stderr.write(question);
      }
      signal.throwIfAborted();
      return null;
    } finally {
      lines.close();
      stdin.pause();
    }
  }
}

/** The number that was typed; null: none of them; undefined: it has to be asked again. */
export function choiceOf(typed: string, count: number): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  const choice = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return choice >= 1 && choice <= count ? choice : undefined;
}

/** What a gate asks. */
function gateLines(gate: GateItem, now: number): readonly string[] {
  const { workflowId, runId, unitId, gateId, title, openedAt, description, payload } = gate;
  const head = `${oneLine(workflowId, 60)} ${runEnding(runId)}, ${oneLine(unitId, 60)} (gate ${gateId}, ${ageText(now - openedAt)} ago): ${title}`;
  return [
    oneLine(head, MAX_HEAD_CHARS),
    ...(description === null || description === undefined
      ? []
      : [`  ${oneLine(description, MAX_PAYLOAD_CHARS)}`]),
    ...(payload === null || payload === undefined
      ? []
      : [`  ${oneLine(jsonText(payload, false), MAX_PAYLOAD_CHARS)}`]),
  ];
}
