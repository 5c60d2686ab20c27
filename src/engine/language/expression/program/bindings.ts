import type { CelMap, CelValue } from '@bufbuild/cel';
import type { ExpressionScope } from '../../../core/plan/expression.js';
import { ITEM_VARIABLE } from '../surroundings.js';
import { celOf, celOfObject } from '../values/json-values.js';
import { timestampOf } from '../values/times.js';
import { prefixedStateMap, stateMap } from '../values/state-maps.js';

/**
 * The variables of one evaluation, made when the expression asks for them. The library reads them by name;
 * names were checked at compilation, so no other property of this object is ever read.
 */
export function bindingsOf(scope: ExpressionScope): Record<string, CelValue> {
  return new ScopeBindings(scope) as unknown as Record<string, CelValue>;
}

class ScopeBindings {
  readonly #scope: ExpressionScope;
  // One map per evaluation: it remembers the keys that it has listed.
  #state: CelMap | undefined;
  #outputs: CelMap | undefined;
  #errors: CelMap | undefined;
  #now: CelValue | undefined;

  constructor(scope: ExpressionScope) {
    this.#scope = scope;
  }

  get input(): CelMap {
    return celOfObject(this.#scope.input);
  }

  get state(): CelMap {
    return (this.#state ??= stateMap(this.#scope.state));
  }

  get outputs(): CelMap {
    return (this.#outputs ??= prefixedStateMap(this.#scope.state, 'output.'));
  }

  get errors(): CelMap {
    return (this.#errors ??= prefixedStateMap(this.#scope.state, 'errors.'));
  }

  get run(): CelMap {
    const { runId, workflowId, createdAt } = this.#scope.run;
    return celOfObject({ runId, workflowId, createdAt });
  }

  get vars(): CelMap {
    return celOfObject(this.#scope.vars ?? {});
  }

  get now(): CelValue | undefined {
    const { now } = this.#scope;
    return now === undefined ? undefined : (this.#now ??= timestampOf(now));
  }

  get iteration(): number | undefined {
    return this.#scope.iteration;
  }

  get index(): number | undefined {
    return this.#scope.index;
  }

  get done(): CelMap | undefined {
    const { done } = this.#scope;
    return done === undefined ? undefined : celOfObject(done);
  }

  get error(): CelValue | undefined {
    const { error } = this.#scope;
    return error === undefined ? undefined : celOf(error);
  }

  get [ITEM_VARIABLE](): CelValue | undefined {
    const { item } = this.#scope;
    return item === undefined ? undefined : celOf(item);
  }
}
