import type { Policy } from '../../src/engine/index.js';
import { AccessInMemory } from './access.js';
import { startService, type Service } from './service.js';

/** The settings by which the service asks who is asking. */
const WITH_KEYS = { FLOWGATE_AUTH: 'keys' };

/** The service, which asks who is asking, and whom it knows. */
export async function startServiceWithAccess(
  settings: Readonly<Record<string, string>> = {},
  policy?: Policy,
): Promise<{ readonly service: Service; readonly access: AccessInMemory }> {
  const access = new AccessInMemory(policy);
  return { service: await startService({ ...WITH_KEYS, ...settings }, access.options), access };
}
