import { effect, signal } from '@preact/signals';
import { apiUrl, identityHeaders, watchedFetch } from '../api/service.js';
import { has, settings } from '../api/settings.js';
import { session } from './session.js';

interface Grant {
  readonly namespace: string;
  readonly permissions: readonly string[];
}

/** What `GET /whoami` says. */
export interface WhoAmI {
  readonly auth: string;
  readonly id: string;
  readonly owner: string | null;
  readonly name: string | null;
  readonly grants: readonly Grant[];
}

/** Null: nobody that the service knows, or it cannot be asked. */
export const whoAmI = signal<WhoAmI | null>(null);

const EVERYWHERE = '*';

/** Asks again whenever the key is another. */
export function beginIdentity(): void {
  effect(() => {
    const { authorization } = identityHeaders.value;
    const kind = settings.value.identity.kind;
    whoAmI.value = null;
    if (!has('access') || (kind !== 'none' && kind !== 'host' && authorization === undefined)) return;
    void ask(authorization === undefined ? {} : { authorization });
  });
}

async function ask(headers: Readonly<Record<string, string>>): Promise<void> {
  const given = session.key.peek();
  try {
    const response = await watchedFetch(new URL('whoami', apiUrl.peek()), { headers, redirect: 'error' });
    if (response.ok && session.key.peek() === given) whoAmI.value = (await response.json()) as WhoAmI;
  } catch {
    // The bar says that the service is gone; it is asked again with the next key or page.
  }
}

/** The namespaces that one may choose among; `*` stands for those that only the service knows. */
export function namespaces(): readonly string[] {
  return [...new Set((whoAmI.value?.grants ?? []).map(({ namespace }) => namespace))];
}

/**
 * Whether one may do that in the namespace that one is in. Where it is not known who one is, the service says so when it is done.
 */
export function may(permission: string): boolean {
  const grants = whoAmI.value?.grants;
  if (grants === undefined) return true;
  const namespace = session.namespace.value ?? onlyNamespace(grants);
  return grants.some(
    (grant) =>
      (grant.namespace === namespace || grant.namespace === EVERYWHERE) &&
      grant.permissions.includes(permission),
  );
}

/** As the service takes it where none is named. */
function onlyNamespace(grants: readonly Grant[]): string {
  const named = [...new Set(grants.map(({ namespace }) => namespace))].filter((one) => one !== EVERYWHERE);
  return named.length === 1 && named[0] !== undefined ? named[0] : 'default';
}

/** As whom one acts, for what is kept with a decision; null: the service knows it itself. */
export function actingAs(): string | null {
  return settings.value.identity.kind === 'none' ? session.claimedName.value.trim() : null;
}
