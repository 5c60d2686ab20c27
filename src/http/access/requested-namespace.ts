import type { IncomingHttpHeaders } from 'node:http';
import { DEFAULT_NAMESPACE, isNamespace } from '../../engine/core/namespace.js';
import { usualNamespace, type Principal } from '../../engine/index.js';
import { ForeignNamespaceError } from '../../errors/access-errors.js';
import { InvalidRequestError } from '../../errors/request-errors.js';

/** The header that names the namespace of a request. */
const NAMESPACE_HEADER = 'flowgate-namespace';
const MAX_SHOWN_CHARS = 64;

/**
 * The namespace of a request: what it names, else the only one that is granted, else `default`. Throws an `InvalidRequestError` for
 * what is no namespace, and a `ForeignNamespaceError` for one that is not granted, whether it is there or not.
 */
export function requestedNamespace(headers: IncomingHttpHeaders, principal: Principal): string {
  const named = headerIn(headers);
  const namespace = named ?? usualNamespace(principal);
  // Node joins several headers of one name by commas, which no namespace has.
  if (!isNamespace(namespace)) {
    throw new InvalidRequestError(
      'Flowgate-Namespace must be one namespace: a lower-case letter, then up to 62 lower-case letters, digits or dashes',
    );
  }
  assertGranted(principal, namespace);
  return namespace;
}

/** Throws a `ForeignNamespaceError` where nothing at all is granted in the namespace. */
export function assertGranted({ grants }: Principal, namespace: string): void {
  if (grants.some((grant) => grant.namespace === '*' || grant.namespace === namespace)) return;
  throw new ForeignNamespaceError(namespace);
}

/** Where nobody is asked who they are, there is one namespace. Throws a `ForeignNamespaceError` for another. */
export function assertDefaultNamespace(headers: IncomingHttpHeaders): void {
  const named = headerIn(headers);
  if (named === undefined || named === DEFAULT_NAMESPACE) return;
  throw new ForeignNamespaceError(named.slice(0, MAX_SHOWN_CHARS));
}

function headerIn(headers: IncomingHttpHeaders): string | undefined {
  return headers[NAMESPACE_HEADER]?.toString();
}
