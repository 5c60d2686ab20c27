import { computed } from '@preact/signals';
import { FlowgateClient } from 'flowgate-client/remote';
import { noteAct } from '../code/last-act.js';
import { session } from '../identity/session.js';
import { noticed } from './outage.js';
import { settings } from './settings.js';

/** Where the interface is. */
export const apiUrl = computed(() => new URL(settings.value.api, new URL('.', window.location.href)).href);

/** As whom, and of which namespace, requests are. */
export const identityHeaders = computed((): Readonly<Record<string, string>> => {
  const { key, namespace } = session;
  return {
    ...(key.value === null ? {} : { authorization: `Bearer ${key.value}` }),
    ...(namespace.value === null ? {} : { 'flowgate-namespace': namespace.value }),
  };
});

/** The client of the service; another one once the key or the namespace is another. */
export const client = computed(
  () =>
    new FlowgateClient({
      baseUrl: apiUrl.value,
      headers: identityHeaders.value,
      fetch: watchedFetch,
      retries: 1,
    }),
);

/** Whoever reads what another key sees must not be shown what this one saw. */
export const identityKey = computed(() => JSON.stringify(identityHeaders.value));

/** `fetch`, and what can be seen by it of the service: whether it is there, and whether it takes the key. */
export async function watchedFetch(...call: Parameters<typeof fetch>): Promise<Response> {
  try {
    const response = await fetch(...call);
    noticed(response.status);
    if (response.status === 401) session.isRefused.value = true;
    const [asked, options = {}] = call;
    if (response.ok && !(asked instanceof Request))
      noteAct(identityKey.peek(), apiUrl.peek(), String(asked), options);
    return response;
  } catch (error) {
    if (call[1]?.signal?.aborted !== true) noticed(null);
    throw error;
  }
}
