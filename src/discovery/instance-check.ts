import { engineToken } from '../instance.js';
import type { Scan } from './provider-methods.js';

/** Why declarations for that instance of Flowgate would never be used; null: the application has the instance. */
export function missingInstance({ discovery }: Scan, name: string | undefined, who: string): string | null {
  const token = engineToken(name);
  if (discovery.getProviders().some((provider) => provider.token === token)) return null;
  return name === undefined
    ? `${who} is for the Flowgate without a name, and every one here has a name: say which by \`instance\``
    : `${who} is for the Flowgate named ${JSON.stringify(name)}, and there is none: import FlowgateModule.forRoot({ name: ${JSON.stringify(name)} }), or correct \`instance\``;
}
