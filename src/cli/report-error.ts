import { debuglog } from 'node:util';
import { FlowgateError, textOf } from '../errors/flowgate-error.js';
import { InterruptedError } from './command-errors.js';
import { inCommandWords } from './command-words.js';
import { EXIT } from './exit-code.js';
import { note } from './terminal/output.js';
import { oneLine } from './terminal/printable.js';

/** Errors of the client are recognised by name, because most commands do not load it. */
const REFUSALS: ReadonlySet<string> = new Set(['FlowgateApiError', 'FlowgateValidationError']);
const trace = debuglog('flowgate');

/** Prints an error in one sentence, and returns the exit code. `command`: the command that was meant. */
export function reportError(error: unknown, command: string | null): number {
  if (error instanceof InterruptedError) return error.exitCode;
  if (error instanceof FlowgateError) {
    const { message, detail } = textOf(error, 'command');
    note(detail === undefined ? message : `${message}\n${detail}`);
    // An exit waits for all threads, and so for a disk that does not respond.
    if (error.name === 'SilentDiskError') process.kill(process.pid, 'SIGKILL');
    return EXIT.failed;
  }
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  if (REFUSALS.has(name)) {
    note(refusalText(error as Error));
    return EXIT.failed;
  }
  if (name === 'FlowgateUnreachableError') {
    note(`${inCommandWords(message)}\nStart one with \`flowgate serve\`, or say with --server where it is.`);
    return EXIT.unreachable;
  }
  if (name === 'UsageError') {
    note(message);
    note(command === null ? 'See flowgate --help.' : `See flowgate ${command} --help.`);
    return EXIT.usage;
  }
  trace('%s', error instanceof Error ? error.stack : error);
  note(`This is a fault of Flowgate: ${message}\nRun it again with NODE_DEBUG=flowgate to see where.`);
  return EXIT.failed;
}

interface Refusal {
  readonly message: string;
  readonly error?: string;
  readonly code?: string | undefined;
  readonly details?: readonly Readonly<Record<string, unknown>>[];
}

/** What the service refused, in the words of the command line. */
function refusalText({ message, error = message, code, details = [] }: Refusal): string {
  if (code !== 'ambiguous-gate') return inCommandWords(message);
  const gates = details.map(({ gateId, unitId, title, runId }) =>
    runId === undefined
      ? `  --gate ${String(gateId)}  ${oneLine(`${String(unitId)}: ${String(title)}`)}`
      : `  flowgate approve ${String(runId)} --gate ${String(gateId)}  ${oneLine(`${String(unitId)}: ${String(title)}`)}`,
  );
  return [inCommandWords(error), ...gates].join('\n');
}
