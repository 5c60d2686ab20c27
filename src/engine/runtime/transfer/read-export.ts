import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { InvalidRequestError } from '../../../errors/request-errors.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { AnyEvent } from '../../core/log/event-base.js';
import type { Steps } from '../../core/steps.js';
import { copyJson } from '../../json/copy-json.js';
import { weightOfJson, type JsonWeight } from '../../json/exceeded-json-limit.js';
import { EXPORT_FORMAT, readEndLine, type ExportEnd, type ExportHeader } from './export-format.js';
import { isObject } from '../../core/log/event-shape.js';

/** What was exported, as far as it can be told without its workflow. Frozen. */
export interface ReadExport extends ExportEnd {
  readonly header: ExportHeader;
  /** The events as they were stored, with seqs from 1 without a gap. */
  readonly events: readonly AnyEvent[];
}

const LINE_BREAK = 0x0a;
/** No end line is longer. */
const MAX_END_BYTES = 256;
const CHECKSUM_BLOCK_BYTES = 1024 * 1024;
const MAX_EVENTS = 100_000;
const MAX_USES = 10_000;
/**
 * The most that all events together hold, without their own fields: one event may hold all of it, and is parsed in 0.1 s.
 */
const MOST: JsonWeight = { values: 500_000, keys: 250_000 };
/** No event has more fields of its own. */
const OWN_FIELDS = 16;
const MAX_DEPTH = 512;
const NAME = /^[\w.:~-]{1,128}$/;
const HASH = /^[0-9a-f]{64}$/;

/**
 * Reads an export; may be interrupted after each line. Throws an `InvalidRequestError` for whatever is not, to the byte,
 * what an export wrote: the checksum shows all that was changed in it.
 */
export function* exportSteps(bytes: Buffer): Steps<ReadExport> {
  const endsAt = bytes.lastIndexOf(LINE_BREAK, -2) + 1;
  const tail = bytes.subarray(endsAt);
  const end = tail.length <= MAX_END_BYTES ? readEndLine(tail.toString('latin1')) : null;
  if (end === null || endsAt === 0) {
    throw new InvalidRequestError(
      'The export has no end: send all of what the export answered, as it was, its last line break included',
    );
  }
  const lines = bytes.subarray(0, endsAt);
  if ((yield* checksumOf(lines)) !== end.sha256) {
    throw new InvalidRequestError(
      'The export was changed after it was written (its sum differs): export the run again',
    );
  }
  if (!isUtf8(lines)) throw new InvalidRequestError('The export is no text of UTF-8: export the run again');
  const headerEnd = lines.indexOf(LINE_BREAK) + 1;
  const values = new ValuesOfExport();
  const header = headerOf(values.next(lines.subarray(0, headerEnd).toString(), 'The first line'));
  const events: AnyEvent[] = [];
  for (let start = headerEnd; start < lines.length;) {
    yield;
    if (events.length >= MAX_EVENTS)
      throw new InvalidRequestError(`The export has more than ${MAX_EVENTS} events`);
    const next = lines.indexOf(LINE_BREAK, start) + 1;
    const seq = events.length + 1;
    events.push(eventOf(values.next(lines.subarray(start, next).toString(), `Event ${seq}`), seq));
    start = next;
  }
  if (events.length !== end.lastSeq) {
    throw new InvalidRequestError(
      `The export ends with event ${end.lastSeq}, but has ${events.length} events`,
    );
  }
  return { header, events, ...end };
}

function* checksumOf(bytes: Buffer): Steps<string> {
  const checksum = createHash('sha256');
  for (let start = 0; start < bytes.length; start += CHECKSUM_BLOCK_BYTES) {
    checksum.update(bytes.subarray(start, start + CHECKSUM_BLOCK_BYTES));
    yield;
  }
  return checksum.digest('hex');
}

/** Parses the lines sequentially. Their values are bounded together, which is checked before each line is parsed. */
class ValuesOfExport {
  private values = 0;
  private keys = 0;

  next(text: string, what: string): JsonObject {
    const left = {
      values: MOST.values - this.values + OWN_FIELDS + 1,
      keys: MOST.keys - this.keys + OWN_FIELDS,
    };
    const weight = weightOfJson(text, left);
    if (typeof weight === 'string') {
      throw new InvalidRequestError(
        `${what} of the export is one too many: its events hold more than ${MOST.values} values or ${MOST.keys} keys together, and it cannot be imported`,
      );
    }
    this.values += Math.max(0, weight.values - OWN_FIELDS - 1);
    this.keys += Math.max(0, weight.keys - OWN_FIELDS);
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      throw new InvalidRequestError(`${what} of the export is not JSON: send what the export answered`);
    }
    const copy = copyJson(parsed, { maxDepth: MAX_DEPTH, maxNodes: weight.values, maxKeys: weight.keys });
    if (!copy.ok) throw new InvalidRequestError(`${what} of the export ${copy.problem}`);
    if (!isObject(copy.value)) throw new InvalidRequestError(`${what} of the export is no JSON object`);
    return copy.value;
  }
}

function headerOf({ format, runId, workflowId, yaml, hash, uses = {} }: JsonObject): ExportHeader {
  if (format !== EXPORT_FORMAT) {
    throw new InvalidRequestError(
      typeof format === 'string' && format.startsWith('flowgate-run/')
        ? `The export is of the format ${format.slice(0, 40)}, and this version reads ${EXPORT_FORMAT}: import it into the version that wrote it`
        : ({ exported }) =>
            `The first line is no header of an export ("format": "${EXPORT_FORMAT}"): ${exported}`,
    );
  }
  if (typeof runId !== 'string' || !NAME.test(runId)) {
    throw new InvalidRequestError(
      'runId of the export must be 1 to 128 letters, digits, ".", "_", ":", "~" or "-"',
    );
  }
  const isWhole = typeof workflowId === 'string' && typeof yaml === 'string' && typeof hash === 'string';
  if (!isWhole || !HASH.test(hash) || !isUses(uses)) {
    throw new InvalidRequestError(
      'The header of the export must have workflowId, yaml, hash (64 hex digits) and uses ("http" or "in-process" by name)',
    );
  }
  return { format, runId, workflowId, yaml, hash, uses };
}

function isUses(uses: JsonValue): uses is ExportHeader['uses'] & JsonObject {
  if (!isObject(uses)) return false;
  const ways = Object.values(uses);
  return ways.length <= MAX_USES && ways.every((way) => way === 'http' || way === 'in-process');
}

function eventOf(value: JsonObject, seq: number): AnyEvent {
  if (value['seq'] !== seq) {
    throw new InvalidRequestError(
      `Event ${seq} of the export is not there: the events must be numbered from 1 without a gap`,
    );
  }
  if (
    typeof value['type'] !== 'string' ||
    typeof value['v'] !== 'number' ||
    typeof value['at'] !== 'number'
  ) {
    throw new InvalidRequestError(`Event ${seq} of the export is no event: it needs type, v and at`);
  }
  return value as unknown as AnyEvent;
}
