import { signal } from '@preact/signals';
import type { JsonValue } from 'flowgate-client/remote';
import { actOf, type Act } from './act.js';

/** With whoever asked: of another key nothing is shown. */
const noted = signal<{ readonly who: string; readonly act: Act } | null>(null);

/** Takes note of a request that the service took, where it was an act. */
export function noteAct(
  who: string,
  apiUrl: string,
  address: string,
  { method = 'GET', body }: Pick<RequestInit, 'method' | 'body'>,
): void {
  if (method === 'GET' || typeof body !== 'string' || !address.startsWith(apiUrl)) return;
  const [path = ''] = address.slice(apiUrl.length).split('?');
  const act = actOf(method, path, JSON.parse(body) as JsonValue);
  if (act !== null) noted.value = { who, act };
}

/** What was asked for last in this page by whoever asks now; null: nothing. */
export function lastActOf(who: string): Act | null {
  return noted.value?.who === who ? noted.value.act : null;
}
