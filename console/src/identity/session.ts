import { batch, signal } from '@preact/signals';
import { keep, keepNone, kept, prefer, preferred } from './kept.js';

export const KEY = 'key';
const NAME = 'name';
/** As the service takes it. */
const NAMESPACE = /^[a-z][a-z0-9-]{0,62}$/;

/**
 * As whom this tab asks. The key is in the storage of the tab and nowhere else, and sent to the interface alone; the name that
 * somebody claims, where nobody is asked, is a preference of the browser.
 */
export const session = {
  /** An API key or a token; null: none was given. */
  key: signal(kept(KEY)),
  /** Another one with each sign-in and each end of one, and not with a token that takes the place of an expired one. */
  edition: signal(0),
  /** What somebody says their name is. */
  claimedName: signal(preferred(NAME) ?? ''),
  /** Null: the one that the service takes by itself. */
  namespace: signal(namespaceIn(new URLSearchParams(window.location.search).get('ns'))),
  /** Whether the service has refused the key: expired, revoked, or mistyped. */
  isRefused: signal(false),
  /** Whether the service has taken a key in this page: then what is shown stays until somebody signs in again. */
  wasTaken: signal(false),
};

/** Null: signs out. What was typed and not sent is of whoever typed it. */
export function useKey(key: string | null): void {
  keep(KEY, key);
  if (key === null) keepNone('comment.');
  batch(() => {
    session.isRefused.value = false;
    session.key.value = key;
    session.edition.value += 1;
    if (key === null) session.wasTaken.value = false;
  });
}

export function claimName(name: string): void {
  prefer(NAME, name === '' ? null : name);
  session.claimedName.value = name;
}

/** What no namespace is called is none, wherever it comes from. */
export function namespaceIn(text: string | null | undefined): string | null {
  return text !== null && text !== undefined && NAMESPACE.test(text) ? text : null;
}
