import type { ApplicationStart } from '../discovery/application-start.js';
import { missingInstance } from '../discovery/instance-check.js';
import {
  declaredMethods,
  declaredOnControllers,
  type Declared,
  type Scan,
} from '../discovery/provider-methods.js';
import { schemaCheck, type Engine, type UnitHandler, type UnitOptions } from '../engine/index.js';
import { messageOf } from '../errors/flowgate-error.js';
import { SetupError } from '../errors/service-errors.js';
import { UNIT_DECLARATIONS, type UnitDeclaration } from './unit.decorator.js';

export interface UnitsOfInstance {
  readonly engine: Engine;
  /** The name of the FlowgateModule; undefined: it has none. */
  readonly name: string | undefined;
  readonly start: ApplicationStart;
}

/**
 * Registers every `@Unit` of every module that is for this instance. That happens while the modules are made, so that
 * the names are known before the first hook of any of them runs; the methods are called once all modules are
 * initialised. Throws a `SetupError` that names every fault, and closes the engine first, because nothing else can
 * when the start fails.
 */
export async function registerUnits(scan: Scan, { engine, name, start }: UnitsOfInstance): Promise<void> {
  const faults: string[] = [];
  for (const unit of declaredMethods(scan, UNIT_DECLARATIONS)) {
    const { value, method } = unit;
    if (value.instance !== name) {
      const missing = missingInstance(scan, value.instance, `The unit ${value.uses} (${method.label})`);
      if (missing !== null) faults.push(missing);
      continue;
    }
    try {
      engine.registerUnit(value.uses, handlerOf(unit, start), await optionsOf(unit, start));
    } catch (error) {
      faults.push(messageOf(error));
    }
  }
  for (const { value, method } of declaredOnControllers(scan, UNIT_DECLARATIONS)) {
    faults.push(`The unit ${value.uses} is on a controller (${method.label}): move it to a provider`);
  }
  if (faults.length === 0) return;
  await engine.close();
  throw new SetupError(faults);
}

function handlerOf({ method }: Declared<UnitDeclaration>, start: ApplicationStart): UnitHandler {
  return ({ input }, context) => start.whenOver(() => method.call(context, [input, context]));
}

async function optionsOf(
  { value, method }: Declared<UnitDeclaration>,
  start: ApplicationStart,
): Promise<UnitOptions> {
  const { uses, input, output, pure, namespaces } = value;
  const by = method.label;
  try {
    return {
      by,
      pure,
      namespaces,
      isReady: () => start.isOver,
      input: input === undefined ? undefined : await schemaCheck(input, 'input'),
      output: output === undefined ? undefined : await schemaCheck(output, 'output'),
    };
  } catch (error) {
    throw new TypeError(`The unit ${uses} (${by}): ${messageOf(error)}`, { cause: error });
  }
}
