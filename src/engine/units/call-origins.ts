import type { PlanUnit } from '../core/plan/plan.js';
import { BUILTIN_PREFIX } from '../language/builtins.js';
import type { HttpBinding } from '../ports/http-binding.js';
import { OWN_ADDRESS } from './called-endpoint.js';

/** The part that the author surely wrote: up to the end of the host, without an expression or a secret before that. */
const ORIGIN = /^https?:\/\/(?:[^/?#{}$@]*@)?[^/?#{}$@]+(?=[/?#]|$)/i;
/** An origin as `URL` writes it; a host that is not plain is never reported. */
const PLAIN = /^https?:\/\/(?:[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

type Binding = Pick<HttpBinding, 'endpoint'> | undefined;
type Unit = Pick<PlanUnit, 'uses' | 'config'>;

interface KnownOrigin {
  readonly binding: Binding;
  readonly origin: string;
}

/**
 * Names what units call, for counting calls: an origin that the document or the binding names, `in-process`, `builtin`, or
 * `computed` where only the run determines it, since a run may hold anything.
 */
export class CallOrigins {
  private readonly known = new WeakMap<Unit, KnownOrigin>();

  /** `binding`: undefined where none applies, as for code of this process. */
  originOf(unit: Unit, binding: Binding): string {
    const known = this.known.get(unit);
    if (known !== undefined && known.binding === binding) return known.origin;
    const origin = read(unit, binding);
    this.known.set(unit, { binding, origin });
    return origin;
  }
}

function read({ uses, config }: Unit, binding: Binding): string {
  const setting = OWN_ADDRESS[uses];
  const own = setting === undefined ? undefined : config[setting];
  const endpoint = own ?? binding?.endpoint;
  if (endpoint === undefined) return uses.startsWith(BUILTIN_PREFIX) ? 'builtin' : 'in-process';
  const written = typeof endpoint === 'string' ? ORIGIN.exec(endpoint)?.[0] : undefined;
  const origin = written === undefined ? undefined : URL.parse(written)?.origin;
  return origin !== undefined && PLAIN.test(origin) ? origin : 'computed';
}
