import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { client, identityKey } from '../api/service.js';
import { has } from '../api/settings.js';
import { needsSignIn } from '../identity/sign-in.js';

/** How many gates wait for a decision, as it was last heard. */
export const openGates = signal(0);

/** A page has one stream, and that is of what it shows: the number in the bar is asked for. */
const ASK_EVERY_MS = 10_000;

/** Keeps the number while the tab is seen. */
export function useOpenGates(): void {
  const who = identityKey.value;
  const isOff = !has('hitl') || needsSignIn.value;
  useEffect(() => {
    if (isOff) return undefined;
    const aborter = new AbortController();
    const ask = (): void => {
      if (document.hidden) return;
      client.value.listGates({ limit: 1, signal: aborter.signal }).then(
        ({ open }) => (openGates.value = open),
        () => undefined,
      );
    };
    ask();
    const timer = setInterval(ask, ASK_EVERY_MS);
    document.addEventListener('visibilitychange', ask);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', ask);
      aborter.abort();
      openGates.value = 0;
    };
  }, [who, isOff]);
}
