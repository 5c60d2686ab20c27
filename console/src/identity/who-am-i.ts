import { effect, signal } from '@preact/signals';
import type { WhoAmI } from 'flowgate-client/remote';
import { client } from '../api/service.js';
import { has, settings } from '../api/settings.js';
import { session } from './session.js';

/** Null: nobody that the service knows, or it cannot be asked. */
export const whoAmI = signal<WhoAmI | null>(null);

const EVERYWHERE = '*';

/** Asks again whenever somebody else has signed in. */
export function beginIdentity(): void {
  effect(() => {
    const edition = session.edition.value;
    const { kind } = settings.value.identity;
    whoAmI.value = null;
    if (!has('access') || (kind !== 'none' && kind !== 'host' && session.key.peek() === null)) return;
    void ask(edition);
  });
}

async function ask(edition: number): Promise<void> {
  try {
    const who = await client.peek().whoami();
    if (session.edition.peek() !== edition) return;
    whoAmI.value = who;
    session.wasTaken.value = true;
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
function onlyNamespace(grants: WhoAmI['grants']): string {
  const named = [...new Set(grants.map(({ namespace }) => namespace))].filter((one) => one !== EVERYWHERE);
  return named.length === 1 && named[0] !== undefined ? named[0] : 'default';
}

/** As whom one acts, for what is kept with a decision; null: the service knows it itself. */
export function actingAs(): string | null {
  return settings.value.identity.kind === 'none' ? session.claimedName.value.trim() : null;
}
