import { isLoopback } from '../../config/access/loopback.js';
import type { Setting } from '../../config/service/setting.js';
import { SETTINGS, type FlowgateConfig } from '../../config/service/settings.js';

/** A setting whose value takes something away, and what to do about it. */
export interface Weakening {
  readonly variable: string;
  /** Completes "VARIABLE is …: ". */
  readonly message: string;
}

/** What the settings take away from a service, as their table says; and what only two of them together do. */
export function weakeningsOf(config: FlowgateConfig): readonly Weakening[] {
  const values: Readonly<Record<string, unknown>> = config;
  const alone = Object.entries<Setting<unknown>>(SETTINGS).flatMap(([field, setting]) => {
    const message = setting.weakens?.(values[field]) ?? null;
    return message === null ? [] : [{ variable: setting.variable, message }];
  });
  return [...alone, ...openToAll(config)];
}

function openToAll({ host, auth }: FlowgateConfig): readonly Weakening[] {
  if (isLoopback(host) || !auth.includes('none')) return [];
  return [
    {
      variable: SETTINGS.host.variable,
      message:
        'other machines reach the service, and it asks nobody who they are: set FLOWGATE_AUTH to keys or oidc, or put something ' +
        'in front of it that asks',
    },
  ];
}
