import { debuglog } from 'node:util';
import { FlowgateError } from '../errors/flowgate-error.js';
import { InterruptedError } from './command-errors.js';
import { EXIT } from './exit-code.js';
import { note } from './terminal/output.js';

/** Errors of the client are recognised by name, because most commands do not load it. */
const REFUSALS: ReadonlySet<string> = new Set(['FlowgateApiError', 'FlowgateValidationError']);
const trace = debuglog('flowgate');

/** Prints an error in one sentence, and returns the exit code. `command`: the command that was meant. */
export function reportError(error: unknown, command: string | null): number {
  if (error instanceof InterruptedError) return error.exitCode;
  if (error instanceof FlowgateError) {
    note(error.detail === undefined ? error.message : `${error.message}\n${error.detail}`);
    // An exit waits for all threads, and so for a disk that does not respond.
    if (error.name === 'SilentDiskError') process.kill(process.pid, 'SIGKILL');
    return EXIT.failed;
  }
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  if (REFUSALS.has(name)) {
    note(message);
    return EXIT.failed;
  }
  if (name === 'FlowgateUnreachableError') {
    note(`${message}\nStart one with \`flowgate serve\`, or say with --server where it is.`);
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
