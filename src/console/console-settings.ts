import type { EdgeOptions } from '../config/edge-options.js';
import type { HttpParts } from '../config/placement.js';
import { VERSION } from '../config/version.js';
import type { SignIn, SignInEndpoints } from '../http/access/sign-in.js';

/**
 * How the console learns who is there. `none`: nobody is asked, and who decides types a name. `keys`: an API key. `oidc`: a token.
 * `host`: the host application knows, by its own cookies.
 */
interface Identity {
  readonly kind: 'none' | 'keys' | 'oidc' | 'host';
  /** How people sign in with the provider. Absent: they paste a key or a token. */
  readonly signIn?: SigningIn;
}

interface SigningIn extends Pick<SignIn, 'issuer' | 'clientId' | 'scopes'> {
  /** Null: this service could not read the document of the provider. */
  readonly endpoints: SignInEndpoints | null;
}

/** Parts of the interface without which the console has less to show. */
const FEATURES = ['health', 'workflows', 'registration', 'runs', 'hitl', 'memory', 'access'] as const;
type Feature = (typeof FEATURES)[number];

/** What `settings.json` says: all that the console cannot ask of the interface before it knows where that is. */
export interface ConsoleSettings {
  readonly version: string;
  /** Where the interface is, relative to the page. */
  readonly api: string;
  readonly features: readonly Feature[];
  readonly identity: Identity;
}

export async function consoleSettings(
  parts: Readonly<Required<HttpParts>>,
  { auth, actor }: Pick<EdgeOptions, 'auth' | 'actor'>,
  signIn: SignIn | null,
): Promise<ConsoleSettings> {
  return {
    version: VERSION,
    api: '../',
    features: FEATURES.filter((feature) => parts[feature]),
    identity: {
      kind: identityOf(auth, actor),
      ...(signIn === null ? {} : { signIn: await signingIn(signIn) }),
    },
  };
}

async function signingIn(signIn: SignIn): Promise<SigningIn> {
  const { issuer, clientId, scopes } = signIn;
  return { issuer, clientId, scopes, endpoints: await signIn.endpoints() };
}

function identityOf(auth: EdgeOptions['auth'], actor: EdgeOptions['actor']): Identity['kind'] {
  if (isGiven(auth?.keys)) return 'keys';
  if (isGiven(auth?.oidc)) return 'oidc';
  return isGiven(auth?.principal) || isGiven(actor) ? 'host' : 'none';
}

function isGiven(part: unknown): boolean {
  return part !== undefined && part !== null;
}
