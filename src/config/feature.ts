import type { DynamicModule, Type } from '@nestjs/common';

/** What a feature of one instance consists of. */
export interface Feature {
  readonly imports: readonly DynamicModule[];
  /** Those whose paths are switched on. */
  readonly controllers: readonly Type[];
}

/**
 * A module of ours for one instance, with a class of its own: Nest keeps the prefix of routes by that class, and two
 * instances of one class would overwrite each other's.
 */
export function featureOf(base: Type, { imports, controllers }: Feature): DynamicModule {
  const own = class extends base {};
  // It is what the log of the host's start shows.
  Object.defineProperty(own, 'name', { value: base.name });
  return { module: own, imports: [...imports], controllers: [...controllers] };
}
