import { Declarations } from '../discovery/declarations.js';
import type { UnitContext } from '../engine/index.js';

export interface UnitDeclarationOptions {
  /**
   * A JSON Schema (2020-12) of the input. A call with another input fails without reaching the method, and is not tried
   * again. Default: everything is let through.
   */
  readonly input?: Readonly<Record<string, unknown>>;
  /** The same for what is answered: what does not satisfy it is not stored, and the unit fails. */
  readonly output?: Readonly<Record<string, unknown>>;
  /** The `name` of the FlowgateModule that the unit is for. Default: the one without a name. */
  readonly instance?: string;
}

/** What a unit is called with: its input, and what it can know of the call. */
export type UnitMethod = (input: never, context: UnitContext) => unknown;

export interface UnitDecorator {
  (target: new (...args: never[]) => { run: UnitMethod }): void;
  <T extends UnitMethod>(
    prototype: object,
    name: string | symbol,
    descriptor: TypedPropertyDescriptor<T>,
  ): void;
}

export interface UnitDeclaration extends UnitDeclarationOptions {
  readonly uses: string;
}

export const UNIT_DECLARATIONS = new Declarations<UnitDeclaration>('flowgate:unit');

/**
 * Makes a provider's method the unit of that `uses` name: on a method that one, on a class its `run`. It is called as
 * `(input, context)` and answers, at once or by a promise, its output or a `UnitReply`. Of a provider of the scope of a
 * request each call gets its own instance; what that injects as `REQUEST` is the call's `UnitContext`.
 *
 * A name that is taken stops the start of the application, with both places in the error.
 */
export function Unit(uses: string, options: UnitDeclarationOptions = {}): UnitDecorator {
  const declaration: UnitDeclaration = Object.freeze({ ...options, uses });
  return ((target: object, name?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (name === undefined || descriptor === undefined) UNIT_DECLARATIONS.onClass(target, declaration);
    else UNIT_DECLARATIONS.onMethod(target, name, descriptor, declaration);
  }) as UnitDecorator;
}
