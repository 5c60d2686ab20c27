import { DEFAULT_NAMESPACE } from '../core/namespace.js';
import type { EngineLogger, EngineLogLevel } from '../ports/logger.js';
import type { CallContext } from '../ports/unit-executor.js';
import type { Quote } from './outcome.js';

/** Lines of one call; a unit in a loop must not fill the disk. */
const MAX_LINES = 1_000;
const MAX_FIELDS = 20;
const MAX_NAME_CHARS = 64;

type Fields = Readonly<Record<string, unknown>>;

/**
 * The log as a unit has it. A message and every field have at most 500 characters, on one line; a line has 20 fields, a call
 * 1,000 lines. Numbers, booleans and null stay what they are, everything else becomes a text.
 */
export interface UnitLogger {
  debug(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

/** `quote` truncates a text and hides the secrets of the unit in it. Never throws. */
export function unitLogger(logger: EngineLogger, call: CallContext, quote: Quote): UnitLogger {
  const { runId, workflowId, unitId, attempt, namespace = DEFAULT_NAMESPACE } = call;
  const callFields = {
    runId,
    workflowId,
    ...(namespace === DEFAULT_NAMESPACE ? {} : { namespace }),
    unitId,
    attempt,
  };
  let lines = 0;
  const say =
    (level: EngineLogLevel) =>
    (message: string, fields: Fields = {}): void => {
      if (!(logger.isOn?.(level) ?? true) || lines > MAX_LINES) return;
      lines += 1;
      if (lines > MAX_LINES) {
        return logger.warn(
          `A unit has logged ${MAX_LINES} lines in one call: the others are left out`,
          callFields,
        );
      }
      // Its own fields come first, so that none of them can pass for another run.
      logger[level](textOf(message, quote), { ...fieldsOf(fields, quote), ...callFields });
    };
  return Object.freeze({ debug: say('debug'), info: say('info'), warn: say('warn'), error: say('error') });
}

function fieldsOf(fields: Fields, quote: Quote): Fields {
  const entries: [string, unknown][] = [];
  for (const name of Object.keys(fields).slice(0, MAX_FIELDS)) {
    entries.push([quote(name.slice(0, MAX_NAME_CHARS)), valueOf(() => fields[name], quote)]);
  }
  return Object.fromEntries(entries);
}

/** What a unit hands over may be anything: even reading it can throw. */
function valueOf(read: () => unknown, quote: Quote): unknown {
  try {
    const value = read();
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
    return textOf(value, quote);
  } catch {
    return 'unreadable';
  }
}

function textOf(value: unknown, quote: Quote): string {
  try {
    if (value instanceof Error) return quote(value.message);
    return quote(typeof value === 'object' ? JSON.stringify(value) : String(value));
  } catch {
    return 'unreadable';
  }
}
