import { deepFreeze } from '../../core/freeze.js';
import { problemOfKeys } from '../../core/plan/key-bounds.js';
import { isReservedKey } from '../../core/plan/reserved-key.js';
import type { JsonObject } from '../../core/json.js';
import type { PlanUnit } from '../../core/plan/plan.js';
import { ON_TIMEOUT } from '../../vocabulary.js';
import { readGateTimeout } from '../../core/plan/gate-timeout.js';
import { readWait, WAIT_SETTINGS } from '../../core/plan/wait-settings.js';
import { BINDABLE_BUILTIN, BUILTIN_PREFIX, BUILTINS, type Builtin } from '../builtins.js';
import { expressionAt, templateAt } from './compile-expression.js';
import { overlay } from '../expression/compile.js';
import type { Surroundings } from '../expression/surroundings.js';
import type { PolicyDocument, UnitDocument } from '../document.js';
import type { FaultList } from '../fault-list.js';
import { foreignBraces } from './checks/foreign-braces.js';
import { childPointer, type JsonPointer } from '../reader/json-pointer.js';
import type { Language } from '../language.js';
import { runOnlyFields, unitPolicy } from './policy.js';
import { checkSettingsForSecrets, refuseSecrets } from './secret-references.js';
import { stateKeyOf } from '../unit-ids.js';
import type { UnitNames } from '../unit-names.js';

/** Units whose output is in the memory already: it is recorded again only where the document says so. */
const OF_THE_MEMORY: ReadonlySet<string> = new Set(['builtin.memory-search', 'builtin.memory-put']);

const EMPTY: JsonObject = Object.freeze({});

interface UnitContext {
  readonly names: UnitNames;
  readonly faults: FaultList;
  readonly common: PolicyDocument | undefined;
  readonly language: Language;
}

/** One unit: its name resolved, its expressions compiled, its policy laid over the workflow's. */
export function compileUnit(
  unit: UnitDocument,
  pointer: JsonPointer,
  around: Surroundings,
  context: UnitContext,
): Omit<PlanUnit, 'compensate'> {
  const { names, faults, common, language } = context;
  const builtin = BUILTINS.get(unit.uses) ?? null;
  if (builtin === null) checkName(unit.uses, `${pointer}/uses`, names, faults);
  else checkSettings(unit, builtin, pointer, names, faults);
  if (unit.policyOverrides !== undefined) {
    for (const field of runOnlyFields(unit.policyOverrides)) {
      faults.add(
        `${pointer}/policyOverrides/${field}`,
        `${field} is of the whole run: set it in spec.policy`,
      );
    }
  }
  warnOfForeignBraces(unit, builtin, pointer, faults);
  if (faults.isOfNewDocument) checkSecrets(unit, builtin, pointer, faults);
  const { state = 'all', memory } = unit.contextPolicy ?? {};
  const kind = builtin?.kind ?? 'execute';
  const config = deepFreeze(unit.config ?? EMPTY);
  return {
    id: unit.id,
    uses: unit.uses,
    kind,
    input:
      unit.with === undefined || builtin?.withIsSettings === true
        ? null
        : templateAt(faults, `${pointer}/with`, unit.with, around),
    config,
    settings: settingsTemplate(unit, builtin, pointer, around, context),
    condition: unit.if === undefined ? null : expressionAt(faults, `${pointer}/if`, unit.if, around),
    pause: unit.pause ?? null,
    ...unitPolicy(language, common, unit.policyOverrides, kind),
    contextPolicy: deepFreeze(unit.contextPolicy ?? EMPTY),
    stateKeys: typeof state === 'string' ? (state === 'all' ? state : []) : state.map(stateKeyOf),
    remembered: memory?.record ?? !OF_THE_MEMORY.has(unit.uses),
  };
}

function warnOfForeignBraces(
  unit: UnitDocument,
  builtin: Builtin | null,
  pointer: JsonPointer,
  faults: FaultList,
): void {
  const templates = [
    ...foreignBraces(unit.with ?? null, `${pointer}/with`),
    // Only built-in units evaluate expressions in their config.
    ...(builtin === null ? [] : foreignBraces(unit.config ?? null, `${pointer}/config`)),
  ];
  for (const { message, ...at } of templates) faults.warn('foreign-braces', at, message);
}

/** Secrets are filled in in the config of units that are called; nowhere else, and never in an input, which is stored. */
function checkSecrets(
  unit: UnitDocument,
  builtin: Builtin | null,
  pointer: JsonPointer,
  faults: FaultList,
): void {
  refuseSecrets(unit.with ?? null, `${pointer}/with`, faults);
  if (builtin === null || builtin.fillsSecrets === true) return;
  checkSettingsForSecrets(unit.config ?? null, { pointer: `${pointer}/config`, uses: unit.uses }, faults);
}

function checkName(uses: string, pointer: JsonPointer, names: UnitNames, faults: FaultList): void {
  const source = uses.startsWith(BUILTIN_PREFIX) ? 'unknown' : names.sourceOf(uses);
  if (source === 'both') {
    faults.add(pointer, `${uses} is both registered in process and bound: take one of them away`);
  } else if (source === 'unknown') {
    const builtin = `${BUILTIN_PREFIX}${uses}`;
    const near = BUILTINS.has(builtin)
      ? [builtin]
      : faults.nearNames(uses, [...names.known(), ...BUILTINS.keys()], 3);
    const hint = near.length === 0 ? howToAnswer(uses) : `did you mean ${near.join(' or ')}?`;
    faults.add(pointer, `no unit answers to ${uses}: ${hint}`);
  }
}

function howToAnswer(uses: string): string {
  return /^https?:/.test(uses)
    ? 'give it a name, and bind the name to this address'
    : 'bind it or register it';
}

function settingsTemplate(
  unit: UnitDocument,
  builtin: Builtin | null,
  pointer: JsonPointer,
  around: Surroundings,
  { faults, language }: UnitContext,
): PlanUnit['settings'] {
  if (builtin === null) return null;
  const resolved = { ...defaultsOf(builtin, language), ...unit.config };
  const config = templateAt(faults, `${pointer}/config`, resolved, around);
  if (builtin.withIsSettings && typeof unit.with === 'object') {
    const over = templateAt(faults, `${pointer}/with`, unit.with, around);
    return overlay(config, over);
  }
  return config.isLiteral && builtin.kind === 'execute' ? null : config;
}

/** The settings whose defaults the core would otherwise choose when the unit runs. */
function defaultsOf({ kind }: Builtin, { defaults }: Language): JsonObject {
  return kind === 'approval' ? { onReject: defaults.onReject } : EMPTY;
}

function checkSettings(
  unit: UnitDocument,
  builtin: Builtin,
  pointer: JsonPointer,
  unitNames: UnitNames,
  faults: FaultList,
): void {
  if (builtin.withIsSettings && typeof unit.with === 'string') {
    faults.add(`${pointer}/with`, `${unit.uses} takes its settings one by one: write them as fields`);
    return;
  }
  const given = {
    ...unit.config,
    ...(builtin.withIsSettings ? (unit.with as JsonObject | undefined) : undefined),
  };
  const names = Object.keys(builtin.settings);
  const pointerOf = (name: string): JsonPointer =>
    childPointer(`${pointer}/${fieldOf(unit, builtin, name)}`, name);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(builtin.settings, name)) continue;
    const near = name === 'url' && names.includes('endpoint') ? 'endpoint' : faults.nearNames(name, names)[0];
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    faults.add(
      pointerOf(name),
      `${unit.uses} has no setting ${name}: its settings are ${names.join(', ')}${hint}`,
    );
  }
  for (const [name, need] of Object.entries(builtin.settings)) {
    if (need !== 'required' || Object.hasOwn(given, name)) continue;
    if (unit.uses !== BINDABLE_BUILTIN) {
      faults.add(`${pointer}/config`, `${unit.uses} needs ${name} in its config`);
    } else if (unitNames.sourceOf(unit.uses) !== 'http') {
      faults.add(
        `${pointer}/config`,
        `${unit.uses} needs ${name} in its config, or a binding of its own name`,
      );
    }
  }
  if (builtin.kind === 'wait') checkWait(given, pointerOf, `${pointer}/config`, faults);
  if (builtin.kind === 'set') checkSetKeys(given['values'], pointerOf('values'), faults);
  if (builtin.kind === 'approval') checkGate(given, pointerOf, faults);
}

function checkGate(given: JsonObject, pointerOf: (name: string) => JsonPointer, faults: FaultList): void {
  const { onReject, timeout, onTimeout } = given;
  if (onReject !== undefined && onReject !== 'fail' && onReject !== 'continue') {
    faults.add(pointerOf('onReject'), 'onReject must be fail or continue');
  }
  if (timeout !== undefined && !holdsExpression(timeout)) {
    const read = readGateTimeout(timeout);
    if (!read.ok) faults.add(pointerOf('timeout'), read.reason);
  }
  if (onTimeout === undefined) return;
  if (timeout === undefined) {
    faults.add(pointerOf('onTimeout'), 'onTimeout needs a timeout: say after how long, such as `P2D`');
  } else if (!ON_TIMEOUT.some((one) => one === onTimeout)) {
    faults.add(pointerOf('onTimeout'), `onTimeout must be ${ON_TIMEOUT.join(', ')}`);
  }
}

/** The field whose setting counts: `with` overrides `config`, for the built-ins that read it. */
function fieldOf(unit: UnitDocument, builtin: Builtin, name: string): 'config' | 'with' {
  const isInWith = builtin.withIsSettings && typeof unit.with === 'object' && Object.hasOwn(unit.with, name);
  return isInWith ? 'with' : 'config';
}

/** Exactly one of the three settings is required. A literal is read here, an expression when the unit is reached. */
function checkWait(
  given: JsonObject,
  pointerOf: (name: string) => JsonPointer,
  config: JsonPointer,
  faults: FaultList,
): void {
  const names = WAIT_SETTINGS.filter((name) => given[name] !== undefined);
  const [name, another] = names;
  if (name === undefined) {
    faults.add(config, `builtin.wait needs one of ${WAIT_SETTINGS.join(', ')}: say how long, or until when`);
  } else if (another !== undefined) {
    faults.add(pointerOf(another), `builtin.wait takes one of ${names.join(' and ')}: leave the others out`);
  } else if (!holdsExpression(given[name])) {
    const read = readWait(name, given[name] ?? null);
    if (!read.ok) faults.add(pointerOf(name), read.reason);
  }
}

function holdsExpression(value: unknown): boolean {
  return typeof value === 'string' && value.includes('${{');
}

function checkSetKeys(values: unknown, pointer: JsonPointer, faults: FaultList): void {
  if (values === undefined) return;
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    faults.add(pointer, 'values must be an object: state key → value');
    return;
  }
  const problem = problemOfKeys(values as JsonObject);
  if (problem !== null) faults.add(pointer, `values ${problem}`);
  for (const key of Object.keys(values)) {
    if (isReservedKey(key)) {
      faults.add(
        childPointer(pointer, key),
        `the state key ${key} is reserved: keys must not begin with output., errors. or hitl.`,
      );
    }
  }
}
