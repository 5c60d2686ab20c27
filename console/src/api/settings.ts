import { signal } from '@preact/signals';
import type { Provider } from '../identity/provider/authorization.js';

/** What `settings.json` says of the service. */
export interface Settings {
  readonly version: string;
  readonly api: string;
  readonly features: readonly string[];
  readonly identity: {
    readonly kind: 'none' | 'keys' | 'oidc' | 'host';
    /** How people sign in with the provider. Absent: they paste a key or a token. */
    readonly signIn?: Omit<Provider, 'endpoints'> & {
      /** Null: the service could not read the document of the provider. */
      readonly endpoints: Provider['endpoints'] | null;
    };
  };
}

/** Read once, before anything is shown. */
export const settings = signal<Settings>({
  version: '',
  api: '../',
  features: [],
  identity: { kind: 'none' },
});

/** Throws a `TypeError`, as `fetch` does, where the service does not say: it may be on its way up. */
export async function readSettings(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  if (!response.ok) throw new TypeError(`settings.json could not be fetched: ${response.status}`);
  settings.value = (await response.json()) as Settings;
}

/** Whether the service has that part of the interface. */
export function has(feature: string): boolean {
  return settings.value.features.includes(feature);
}
