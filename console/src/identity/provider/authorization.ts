import type { Address } from '../../app/address.js';

/** Whom people sign in with, and how, as `settings.json` says. */
export interface Provider {
  readonly issuer: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly endpoints: {
    readonly authorization: string;
    readonly token: string;
    /** Whether it says with each answer which provider it is (RFC 9207). */
    readonly namesIssuer: boolean;
  };
}

/** A sign-in that somebody began in this tab, and of which the provider has not told yet. */
export interface BegunSignIn {
  readonly issuer: string;
  readonly state: string;
  readonly verifier: string;
  readonly redirectUri: string;
  /** What they looked at. */
  readonly from: Address;
}

/** Where the person goes, to say who they are. */
export function authorizationUrl(
  { endpoints, clientId, scopes }: Provider,
  { state, challenge, redirectUri }: Record<'state' | 'challenge' | 'redirectUri', string>,
): string {
  const url = new URL(endpoints.authorization);
  const asked = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return url.href;
}

export type SignInAnswer =
  { readonly ok: true; readonly code: string } | { readonly ok: false; readonly fault: string };

/** Longer than any code or explanation of a provider. */
const MOST_CHARS = 8_192;
const MOST_SAID_CHARS = 300;

/**
 * What the provider says by the query with which the person comes back. `begun`: the sign-in of this tab, which is good for one
 * answer; null: there is none.
 */
export function answerIn(
  query: URLSearchParams,
  begun: BegunSignIn | null,
  { issuer, endpoints }: Provider,
): SignInAnswer {
  if (begun === null)
    return refused(
      'This sign-in was not begun in this tab, or its address was used before. Sign in once more.',
    );
  const { state, iss, code, error, error_description: said } = parametersOf(query);
  if (state !== begun.state)
    return refused(
      'This answer does not belong to the sign-in of this tab (its state is another one), so it was not used. Sign in once more.',
    );
  const isOurs = iss === undefined ? !endpoints.namesIssuer : iss === issuer;
  if (!isOurs || begun.issuer !== issuer)
    return refused(
      `This answer is not one of ${issuer}, so it was not used. Sign in once more; if that does not help, ask whoever runs this service.`,
    );
  if (error !== undefined) return refused(sentenceOf(error, said));
  if (code === undefined || code === '')
    return refused('The provider sent you back without a code. Sign in once more.');
  return { ok: true, code };
}

/** None that is there twice, or is too long to be meant. */
function parametersOf(query: URLSearchParams): Readonly<Record<string, string | undefined>> {
  const names = new Set(query.keys());
  const once = [...names].filter(
    (name) => query.getAll(name).length === 1 && (query.get(name) ?? '').length <= MOST_CHARS,
  );
  return Object.fromEntries(once.map((name) => [name, query.get(name) ?? '']));
}

const SENTENCES: Readonly<Record<string, string>> = {
  access_denied: 'The provider did not let you in, or you said no (access_denied).',
  login_required: 'The provider wants you to log in there first (login_required).',
  invalid_scope:
    'The provider does not know what this service asks for (invalid_scope): whoever runs it looks at FLOWGATE_OIDC_SCOPES.',
  unauthorized_client:
    'The provider does not let this client sign people in (unauthorized_client): whoever runs the service allows the flow with a code there.',
  temporarily_unavailable:
    'The provider is busy at the moment (temporarily_unavailable). Try it in a minute.',
};

function sentenceOf(error: string, said: string | undefined): string {
  const sentence =
    SENTENCES[error] ?? `The provider did not sign you in (${error.slice(0, MOST_SAID_CHARS)}).`;
  return said === undefined || said === ''
    ? sentence
    : `${sentence} It says: ${said.slice(0, MOST_SAID_CHARS)}`;
}

function refused(fault: string): SignInAnswer {
  return { ok: false, fault };
}
