import type { PlanUnit } from '../core/plan/plan.js';
import { BUILTIN_PREFIX } from '../language/builtins.js';
import type { HttpBinding } from '../ports/http-binding.js';
import { OWN_ADDRESS } from './called-endpoint.js';

/** What is surely of the author's writing: up to the end of the host, and no expression or secret before that. */
const ORIGIN = /^https?:\/\/(?:[^/?#{}$@]*@)?[^/?#{}$@]+(?=[/?#]|$)/i;
/** As `URL` writes it; a host that is not plain is named nowhere. */
const PLAIN = /^https?:\/\/(?:[a-z0-9_.-]{1,253}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

type Binding = Pick<HttpBinding, 'endpoint'> | undefined;
type Unit = Pick<PlanUnit, 'uses' | 'config'>;

interface KnownOrigin {
  readonly binding: Binding;
  readonly origin: string;
}

/**
 * Whom units call, in a word for whoever counts calls: an origin that the document or the binding names,
 * `in-process`, `builtin`, or `computed` where only the run says it, since a run may say anything.
 */
export class CallOrigins {
  private readonly known = new WeakMap<Unit, KnownOrigin>();

  /** `binding`: undefined where there is none that counts, as for code of this process. */
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
