import { DEFAULT_NAMESPACE } from '../core/namespace.js';
import type { Principal } from '../ports/access/principal.js';

/** Where a principal acts who names no namespace: in the only one that is granted, else in `default`. */
export function usualNamespace({ grants }: Pick<Principal, 'grants'>): string {
  const [only, ...others] = new Set(grants.map(({ namespace }) => namespace));
  return only === undefined || only === '*' || others.length > 0 ? DEFAULT_NAMESPACE : only;
}
