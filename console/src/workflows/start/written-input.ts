import type { JsonObject } from 'flowgate-client/remote';
import { fillForm } from '../form/filled-form.js';
import { valueOf, type FormGroup, type FormValue } from '../form/schema-form.js';
import { readInput } from './json-fault.js';

/** What the fields of a form hold, by their pointers, and a JSON text. */
interface Pair {
  readonly texts: ReadonlyMap<string, string>;
  readonly json: string;
}

/** An input while it is written, in one of two views. The other one keeps what it had when it was left. */
export interface WrittenInput extends Pair {
  readonly isJson: boolean;
  /** The last texts and JSON that meant the same: what was not changed since is shown again as it was written. Null: there were none. */
  readonly same: Pair | null;
}

/** Faults by the pointers of fields; under the empty text, of the whole. */
type Switched =
  | { readonly ok: true; readonly written: WrittenInput }
  | { readonly ok: false; readonly faults: ReadonlyMap<string, string> };

/** Before anything is written. A form of which nothing is given holds what its fields hold at first. */
export function beginInput(form: readonly FormGroup[] | null, given: JsonObject): WrittenInput {
  const json = JSON.stringify(given, null, 2);
  const untouched = { texts: new Map<string, string>(), json, same: null };
  if (form === null) return { ...untouched, isJson: true };
  if (Object.keys(given).length === 0) return { ...untouched, isJson: false };
  const filled = fillForm(form, given);
  if (!filled.ok) return { ...untouched, isJson: true };
  const same = { texts: filled.texts, json };
  return { ...same, isJson: false, same };
}

/** What a run is started with. */
export function inputOf(form: readonly FormGroup[] | null, { isJson, texts, json }: WrittenInput): FormValue {
  if (!isJson && form !== null) return valueOf(form, texts);
  const read = readInput(json);
  return read.ok ? read : refused(read.fault);
}

/** The same input in the other view, or why that cannot hold it. */
export function switchView(form: readonly FormGroup[], written: WrittenInput): Switched {
  const pair = written.isJson ? withTexts(form, written) : withJson(form, written);
  if (!pair.ok) return pair;
  const same = { texts: pair.texts, json: pair.json };
  return { ok: true, written: { ...same, same, isJson: !written.isJson } };
}

type Paired =
  ({ readonly ok: true } & Pair) | { readonly ok: false; readonly faults: ReadonlyMap<string, string> };

function withTexts(form: readonly FormGroup[], { json, same }: WrittenInput): Paired {
  if (json === same?.json) return { ok: true, ...same };
  const read = readInput(json);
  if (!read.ok) return refused(read.fault);
  const filled = fillForm(form, read.value);
  return filled.ok ? { ok: true, texts: filled.texts, json } : refused(filled.fault);
}

/** What is required may still be empty: somebody may want to write it as JSON. */
function withJson(form: readonly FormGroup[], { texts, same }: WrittenInput): Paired {
  if (texts === same?.texts) return { ok: true, ...same };
  const read = valueOf(form, texts, { isDraft: true });
  return read.ok ? { ok: true, texts, json: JSON.stringify(read.value, null, 2) } : read;
}

function refused(fault: string): { readonly ok: false; readonly faults: ReadonlyMap<string, string> } {
  return { ok: false, faults: new Map([['', fault]]) };
}
