import type { ErrorDetail } from './error-detail.js';

/** The service names so many faults in `error`; the others are in `details` alone. */
const NAMED_IN_ERROR = 20;
const MORE = /\nand \d+ more in details$/;
const MAX_SHOWN = 300;

/** What the service says, with the faults that it left to `details` as further lines. */
export function everyFault(error: string, details: readonly ErrorDetail[]): string {
  if (MORE.test(error)) {
    return [error.replace(MORE, ''), ...details.slice(NAMED_IN_ERROR).map(faultLine)].join('\n');
  }
  const untold = details.length > 1 ? details.filter(({ message }) => typeof message !== 'string') : [];
  return [error, ...untold.map(faultLine)].join('\n');
}

function faultLine(detail: ErrorDetail): string {
  const { message, line, column } = detail;
  if (typeof message !== 'string') return JSON.stringify(detail).slice(0, MAX_SHOWN);
  const text = message.replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, ' ');
  return typeof line === 'number' && typeof column === 'number' ? `at ${line}:${column}: ${text}` : text;
}
