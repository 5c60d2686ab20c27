import { Inject, type InjectionToken } from '@nestjs/common';
import { Engine } from './engine/index.js';

/**
 * The token by which a host injects the engine: `Engine` itself for the instance without a name, a token of its own
 * for a named one, so that two instances in one application are never confused.
 */
export function engineToken(name?: string): InjectionToken<Engine> {
  return name === undefined ? Engine : `FlowgateEngine(${name})`;
}

/** As `engineToken`, for the facade of runs and workflows. */
export function flowgateToken(name?: string): InjectionToken {
  return name === undefined ? 'Flowgate' : `Flowgate(${name})`;
}

/** By what a host's guards reach what lets in who is known, of the instance of that name. */
export function hostDoorToken(name?: string): string {
  return name === undefined ? 'FlowgateHostDoor' : `FlowgateHostDoor(${name})`;
}

/** Injects the engine of the instance of that name; without a name, of the instance that has none. */
export function InjectEngine(name?: string): ParameterDecorator & PropertyDecorator {
  return Inject(engineToken(name));
}

/** Injects the facade of the instance of that name; without a name, of the instance that has none. */
export function InjectFlowgate(name?: string): ParameterDecorator & PropertyDecorator {
  return Inject(flowgateToken(name));
}
