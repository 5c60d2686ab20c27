import { EXIT } from '../exit-code.js';
import { printable } from './printable.js';

/** A result, for people or for programs: the only thing that goes to stdout. */
export function print(text: string): Promise<void> {
  return written(process.stdout, `${text}\n`);
}

/** Resolves once the stream has taken the text, so that a slow reader is waited for; or once it cannot. */
export function written(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}

/** What people should know beside the result. */
export function note(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** JSON on one line, or for people to read. */
export function jsonText(value: unknown, isPretty: boolean): string {
  const text = JSON.stringify(value, null, isPretty ? 2 : 0);
  // JSON leaves these as they are, and some terminals take them for commands.
  return text.replaceAll(/[\u007f-\u009f]/g, escaped);
}

/** For people where people look: JSON over several lines if it is asked for, or if stdout is a terminal. */
export function record(value: unknown, isPretty: boolean): Promise<void> {
  return print(jsonText(value, isPretty || process.stdout.isTTY));
}

/** A reader that has seen enough (`| head`) ends the command, as it ends others; so does a full disk, with a word. */
export function survivePipes(): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') process.exit();
    note(`The result cannot be written: ${message}.`);
    process.exit(EXIT.failed);
  });
  process.stderr.on('error', () => undefined);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
