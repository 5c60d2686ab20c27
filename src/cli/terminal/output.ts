import { EXIT } from '../exit-code.js';
import { printable } from './printable.js';

/** Prints a result, for people or for programs. Nothing else goes to stdout. */
export function print(text: string): Promise<void> {
  return written(process.stdout, `${text}\n`);
}

/** Resolves once the stream has taken the text, so that a slow reader is waited for, or once it cannot take it. */
export function written(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}

/** Prints a note for people next to the result. */
export function note(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** JSON on one line, or indented. */
export function jsonText(value: unknown, isPretty: boolean): string {
  return escapedControls(JSON.stringify(value, null, isPretty ? 2 : 0));
}

/** JSON and YAML leave these characters as they are, and some terminals take them for commands. */
export function escapedControls(text: string): string {
  return text.replaceAll(/[\u007f-\u009f]/g, escaped);
}

/** Prints JSON; indented if required, or if stdout is a terminal. */
export function record(value: unknown, isPretty: boolean): Promise<void> {
  return print(jsonText(value, isPretty || process.stdout.isTTY));
}

/** A closed stdout (`| head`) ends the command silently; any other failure, such as a full disk, ends it with a message. */
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
