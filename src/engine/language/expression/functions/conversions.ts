import type { CelValue } from '@bufbuild/cel';
import { MAX_CONVERTED_LENGTH, TIME_WORK } from '../limits/bounds.js';
import { chargeBuilt, chargeWork } from '../limits/budget.js';
import { BoundFault, EvaluationFault } from '../faults/evaluation-fault.js';
import type { Implementation } from './implementation.js';
import { durationOfIso, timestampOfNumber } from './times.js';

const WHOLE_NUMBER = /^[+-]?\d+$/;
const DECIMAL_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The library does the converting; it would take `""` for 0 and `"abc"` for NaN. */
export const CONVERSIONS: ReadonlyMap<string, Implementation> = new Map<string, Implementation>([
  ['int', ofText((text) => requireForm(text, WHOLE_NUMBER, 'a whole number'))],
  ['uint', ofText((text) => requireForm(text, WHOLE_NUMBER, 'a whole number'))],
  ['double', ofText((text) => requireForm(text, DECIMAL_NUMBER, 'a number'))],
  ['bool', ofText(() => undefined)],
  ['timestamp', timed(timestampOfNumber)],
  ['duration', timed(durationOfIso)],
  ['string', ([value]) => chargeBytes(value)],
  ['bytes', ([value]) => chargeBytes(value)],
  ['type', () => undefined],
  ['dyn', () => undefined],
  ['!_', () => undefined],
  ['-_', () => undefined],
]);

function ofText(check: (text: string) => void): Implementation {
  return ([value]) => {
    if (typeof value !== 'string') return undefined;
    if (value.length > MAX_CONVERTED_LENGTH) {
      throw new BoundFault(
        `it converts a text of more than ${MAX_CONVERTED_LENGTH} characters: pass a shorter one`,
      );
    }
    check(value);
    return undefined;
  };
}

/** What `compute` leaves is the library's, which reads texts. */
function timed(compute: (value: CelValue | undefined) => CelValue | undefined): Implementation {
  const bounded = ofText(() => chargeWork(TIME_WORK));
  return (args, target) => {
    void bounded(args, target);
    return args.length === 1 && target === undefined ? compute(args[0]) : undefined;
  };
}

function requireForm(text: string, form: RegExp, name: string): void {
  if (!form.test(text)) throw new EvaluationFault(`${JSON.stringify(text)} is not ${name}`);
}

function chargeBytes(value: CelValue | undefined): undefined {
  if (typeof value === 'string') chargeBuilt(value.length + 200);
  // Writing a timestamp or a duration is as slow as reading one.
  if (typeof value === 'object') chargeWork(TIME_WORK);
  if (value instanceof Uint8Array) {
    chargeWork(value.length);
    chargeBuilt(value.length);
  }
  return undefined;
}
