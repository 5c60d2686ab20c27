import { signal } from '@preact/signals';

/** Since when the service cannot be reached, in epoch ms; null: it can. */
export const goneSince = signal<number | null>(null);

/** What a proxy answers for a service that is not there. */
const OF_PROXIES: readonly number[] = [502, 504];

/** The status of a response, or null: there was none. */
export function noticed(status: number | null): void {
  if (status !== null && !OF_PROXIES.includes(status)) goneSince.value = null;
  else goneSince.value ??= Date.now();
}
