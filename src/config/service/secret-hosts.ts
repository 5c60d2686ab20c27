import { isIPv6 } from 'node:net';

/** `FLOWGATE_SECRET_HOSTS_<NAME>` lists the hosts that the secret NAME may be sent to; read at the call, by name. */
const PREFIX = 'FLOWGATE_SECRET_HOSTS_';
const HOST = /^(\*\.)?[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.?$/u;

type Environment = Readonly<Record<string, string | undefined>>;

/** Faults of lists with an entry that is no host. The secret could not be sent there, which would show only at a call. */
export function faultsOfSecretHosts(
  environment: Environment,
): readonly { readonly variable: string; readonly message: string }[] {
  const faults: { variable: string; message: string }[] = [];
  for (const [variable, list] of listsIn(environment)) {
    const wrong = list.split(',').find((entry) => !isHost(entry.trim()));
    if (wrong === undefined) continue;
    const shown = JSON.stringify(wrong.trim().slice(0, 100));
    const allowed = 'host names (api.example.com, *.example.com) and addresses, separated by commas';
    faults.push({ variable, message: `${variable} names ${shown}: it must list ${allowed}.` });
  }
  return faults;
}

/** A list for a secret that does not exist has no effect: one of the two names probably has a typo. */
export function warningsAboutSecretHosts(environment: Environment, hasFolder: boolean): readonly string[] {
  if (hasFolder) return [];
  return listsIn(environment).flatMap(([variable]) => {
    const secret = variable.replace(PREFIX, 'FLOWGATE_SECRET_');
    if (environment[secret] !== undefined && !secret.startsWith(PREFIX)) return [];
    return [`${variable} lists the hosts of a secret that is not set: there is no ${secret}`];
  });
}

function listsIn(environment: Environment): readonly (readonly [variable: string, list: string])[] {
  return Object.entries(environment).flatMap(([name, list = '']) =>
    name.startsWith(PREFIX) && list.trim() !== '' ? [[name, list] as const] : [],
  );
}

function isHost(entry: string): boolean {
  return isIPv6(entry.replace(/^\[(.*)\]$/, '$1')) || HOST.test(entry);
}
