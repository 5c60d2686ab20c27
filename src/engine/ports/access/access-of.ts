import { ConfigError } from '../../../errors/service-errors.js';
import type { RunStore } from '../store/run-store.js';
import type { AccessStore } from './access-store.js';

/** What of the store keeps keys and revocations. Throws a `ConfigError` for a store that keeps none. `setting`: what asks for it. */
export function accessOf(store: Pick<RunStore, 'access'>, setting = 'FLOWGATE_AUTH'): AccessStore {
  if (store.access !== undefined) return store.access;
  throw new ConfigError([
    {
      variable: setting,
      message:
        `${setting}: the store of this host keeps no keys and revocations, so nobody can be asked who they are: give it a member ` +
        'access (AccessStore), use one of the stores of Flowgate, or set it to none',
    },
  ]);
}
