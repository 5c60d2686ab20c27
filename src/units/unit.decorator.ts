import { Declarations } from '../discovery/declarations.js';
import type { UnitContext } from '../engine/index.js';

export interface UnitDeclarationOptions {
  /**
   * A JSON Schema (2020-12) of the input. A call with another input fails without reaching the method, and is not
   * retried. Default: every input is accepted.
   */
  readonly input?: Readonly<Record<string, unknown>>;
  /** A JSON Schema of the output: one that does not satisfy it is not stored, and the unit fails. */
  readonly output?: Readonly<Record<string, unknown>>;
  /**
   * The method has no effect and answers at once: it is executed in the turn that schedules it, and again, unseen, after a
   * crash or a failed write. An answer by a promise is an error, and so is one of a request-scoped provider, which is made
   * for each call. Default: false.
   */
  readonly pure?: boolean;
  /**
   * The namespaces whose workflows may use the unit, 1 to 1,000: in every other one its name is as unknown as one that nobody has. Default: all.
   */
  readonly namespaces?: readonly string[];
  /** The `name` of the FlowgateModule that the unit is for. Default: the one without a name. */
  readonly instance?: string;
}

/** The signature of a unit: its input, and the context of the call. */
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
 * Makes a provider's method the unit of that `uses` name: the decorated method or, on a class, its `run`. It is
 * called as `(input, context)` and returns, directly or by a promise, its output or a `UnitReply`. If the provider is
 * request-scoped, each call gets its own instance, and `REQUEST` is injected as the call's `UnitContext`.
 *
 * A name that is taken stops the start of the application, and the error names both methods.
 */
export function Unit(uses: string, options: UnitDeclarationOptions = {}): UnitDecorator {
  const declaration: UnitDeclaration = Object.freeze({ ...options, uses });
  return ((target: object, name?: string | symbol, descriptor?: PropertyDescriptor) => {
    if (name === undefined || descriptor === undefined) UNIT_DECLARATIONS.onClass(target, declaration);
    else UNIT_DECLARATIONS.onMethod(target, name, descriptor, declaration);
  }) as UnitDecorator;
}
