import type { CheckedAuth } from '../../config/access/auth-options.js';
import type { EdgeOptions } from '../../config/edge-options.js';
import type { EngineOptions } from '../../engine/index.js';

/** What of an instance's options may let in more than as they come. */
export type WeighedOptions = Pick<EdgeOptions, 'allowSelfCalls' | 'webPages'> &
  Pick<Partial<EngineOptions>, 'forkPastGates' | 'policy'>;

/** The options that are set so that more may be done than by their defaults; by their names, never with what they hold. */
export function weakeningOptions(
  { allowSelfCalls, webPages, forkPastGates, policy }: WeighedOptions,
  { keys, metricsPublic }: Pick<CheckedAuth, 'keys' | 'metricsPublic'>,
): readonly string[] {
  const isWeakened: Readonly<Record<string, boolean>> = {
    allowSelfCalls: allowSelfCalls === true,
    'auth.keys.bootstrapKeySha256': (keys?.bootstrapKeySha256 ?? null) !== null,
    'auth.metricsPublic': metricsPublic,
    forkPastGates: forkPastGates === true,
    policy: policy !== undefined,
    'webPages.allowedOrigins': (webPages?.allowedOrigins?.length ?? 0) > 0,
  };
  return Object.keys(isWeakened).filter((name) => isWeakened[name] === true);
}
