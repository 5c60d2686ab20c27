import { signal } from '@preact/signals';
import { keep, kept, prefer, preferred } from './kept.js';

const KEY = 'key';
const NAME = 'name';

/**
 * As whom this tab asks. The key is in the storage of the tab and nowhere else, and sent to the interface alone; the name that
 * somebody claims, where nobody is asked, is a preference of the browser.
 */
export const session = {
  /** An API key or a token; null: none was given. */
  key: signal(kept(KEY)),
  /** What somebody says their name is. */
  claimedName: signal(preferred(NAME) ?? ''),
  /** Null: the one that the service takes by itself. */
  namespace: signal(new URLSearchParams(window.location.search).get('ns')),
  /** Whether the service has refused the key: expired, revoked, or mistyped. */
  isRefused: signal(false),
};

export function useKey(key: string | null): void {
  keep(KEY, key);
  session.isRefused.value = false;
  session.key.value = key;
}

export function claimName(name: string): void {
  prefer(NAME, name === '' ? null : name);
  session.claimedName.value = name;
}
