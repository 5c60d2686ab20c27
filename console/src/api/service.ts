import { computed } from '@preact/signals';
import { FlowgateClient } from 'flowgate-client/remote';
import { noteAct } from '../code/last-act.js';
import { session } from '../identity/session.js';
import { currentToken, noticeToken } from '../identity/token.js';
import { noticed } from './outage.js';
import { settings } from './settings.js';

/** Where the interface is. */
export const apiUrl = computed(() => new URL(settings.value.api, new URL('.', window.location.href)).href);

/** Whoever reads what somebody else sees, or of another namespace, must not be shown what this one saw. */
export const identityKey = computed(() => JSON.stringify([session.edition.value, session.namespace.value]));

const isSomebody = computed(() => session.key.value !== null);

/** The client of the service; another one once somebody else asks, or of another namespace. */
export const client = computed(() => {
  // A token that takes the place of an expired one leaves the client, and so all that is shown, as it is.
  const [, namespace] = JSON.parse(identityKey.value) as readonly [number, string | null];
  return new FlowgateClient({
    baseUrl: apiUrl.value,
    ...(namespace === null ? {} : { namespace }),
    ...(isSomebody.value ? { token: currentToken } : {}),
    fetch: watchedFetch,
    retries: 1,
  });
});

/** `fetch`, and what can be seen by it of the service: whether it is there, and whether it takes the key. */
export async function watchedFetch(...call: Parameters<typeof fetch>): Promise<Response> {
  try {
    const response = await fetch(...call);
    noticed(response.status);
    noticeToken(response.status, new Headers(call[1]?.headers).get('authorization'));
    const [asked, options = {}] = call;
    if (response.ok && !(asked instanceof Request))
      noteAct(identityKey.peek(), apiUrl.peek(), String(asked), options);
    return response;
  } catch (error) {
    if (call[1]?.signal?.aborted !== true) noticed(null);
    throw error;
  }
}
