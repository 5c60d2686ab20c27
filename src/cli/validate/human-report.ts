import type { Fault } from '../../errors/document-errors.js';
import { paintFor, type Paint } from '../terminal/paint.js';
import { oneLine, printable } from '../terminal/printable.js';
import { print } from '../terminal/output.js';
import type { CheckedFile } from './checked-file.js';
import { excerptAt } from './excerpt.js';
import type { Report } from './report.js';

const MAX_MESSAGE = 2_000;

/** The report for people: each fault with its position, its line, and a caret under it. */
export function humanReport(): Report {
  const paint = paintFor(process.stdout);
  let files = 0;
  let broken = 0;
  let faults = 0;
  return {
    async add(checked) {
      files += 1;
      if (checked.faults.length > 0) broken += 1;
      faults += checked.faults.length;
      await print(aboutFile(checked, paint).join('\n'));
    },
    async end(isCut) {
      if (isCut) await print(`There are more faults than ${faults}: the rest was not looked at.`);
      if (files === 1) return;
      const found = faults === 0 ? 'no faults' : `${counted(faults, 'fault')} in ${broken} of them`;
      await print(`${counted(files, 'document')}: ${found}`);
    },
  };
}

/** The lines about one document. */
export function aboutFile(checked: CheckedFile, paint: Paint): readonly string[] {
  const { workflowId, warningDetails, unanswered, text, faults } = checked;
  const file = printable(checked.file);
  if (workflowId === null) return faults.flatMap((fault) => aboutFault(file, fault, text ?? '', paint));
  const lines = [`${paint('green', `${file} is valid`)}: workflow ${oneLine(workflowId)}`];
  for (const { line, column, message } of warningDetails) {
    const at = line === null ? '' : ` at ${line}:${column}`;
    lines.push(`  ${paint('yellow', `warning${at}`)}: ${oneLine(message, MAX_MESSAGE)}`);
  }
  if (unanswered.length > 0)
    lines.push(`  note: the server has to know ${oneLine(unanswered.join(', '), MAX_MESSAGE)}`);
  return lines;
}

function aboutFault(
  file: string,
  { line, column, path, message }: Fault,
  text: string,
  paint: Paint,
): readonly string[] {
  const position = line === null ? file : `${file}:${line}:${column}`;
  const pointer = line === null || path === '' ? '' : ` ${paint('dim', `(${oneLine(path)})`)}`;
  const sentence = `${paint('bold', position)}: ${paint('red', oneLine(message, MAX_MESSAGE))}${pointer}`;
  const excerpt = line === null ? [] : excerptAt(text, line, column ?? 1);
  return [sentence, ...excerpt.map((shown) => paint('dim', shown))];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
