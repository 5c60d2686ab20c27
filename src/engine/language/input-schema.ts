import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { JsonObject } from '../core/json.js';
import type { FaultList } from './fault-list.js';

/** The faults of a run's input; empty when it satisfies `spec.input`. */
export type InputCheck = (input: JsonObject) => readonly InputFault[];

export interface InputFault {
  /** JSON pointer into the input. */
  readonly path: string;
  readonly message: string;
}

const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void;
const MAX_FAULTS = 100;

/** Compiles `spec.input` (JSON Schema 2020-12 with formats); null without one or with a fault in it. */
export function compileInputSchema(schema: JsonObject | undefined, faults: FaultList): InputCheck | null {
  if (schema === undefined) return null;
  const ajv = new Ajv2020({ allErrors: true, strict: false, logger: false });
  addFormats(ajv);
  try {
    const validate = ajv.compile(schema);
    return (input) => (validate(input) ? [] : (validate.errors ?? []).slice(0, MAX_FAULTS).map(faultOf));
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'it does not compile';
    faults.add('/spec/input', `spec.input is no JSON Schema that can be used: ${reason}`);
    return null;
  }
}

function faultOf(error: ErrorObject): InputFault {
  const where = error.instancePath === '' ? 'input' : `input${error.instancePath.replaceAll('/', '.')}`;
  return { path: error.instancePath, message: `${where} ${error.message ?? 'is not valid'}` };
}
