import { signal } from '@preact/signals';

/** What `settings.json` says of the service. */
export interface Settings {
  readonly version: string;
  readonly api: string;
  readonly features: readonly string[];
  readonly identity: { readonly kind: 'none' | 'keys' | 'oidc' | 'host' };
}

/** Read once, before anything is shown. */
export const settings = signal<Settings>({
  version: '',
  api: '../',
  features: [],
  identity: { kind: 'none' },
});

/** Throws where the service does not say. */
export async function readSettings(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  if (!response.ok) throw new Error(`settings.json: ${response.status}`);
  settings.value = (await response.json()) as Settings;
}

/** Whether the service has that part of the interface. */
export function has(feature: string): boolean {
  return settings.value.features.includes(feature);
}
