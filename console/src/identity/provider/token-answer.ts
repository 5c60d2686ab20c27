/** What a provider gives: the token that the service takes, and, where it does, one by which another is got. */
export interface Tokens {
  readonly accessToken: string;
  /** Null: once it has expired, the person signs in again. */
  readonly refreshToken: string | null;
}

/** Why there is no token, as a sentence that says what to do. */
export class SignInError extends Error {}

/** What can stand behind `Bearer`; longer ones no service takes. */
const TOKEN = /^[\x21-\x7E]{1,16384}$/;
const MOST_SAID_CHARS = 300;

/** Throws a `SignInError` for what is no token. Nothing of a token stands in an error. */
export function tokensIn(status: number, text: string): Tokens {
  const body = parsed(text);
  if (status !== 200) throw new SignInError(refusal(status, body));
  const { access_token: accessToken, refresh_token: refreshToken, token_type: type } = body;
  if (typeof accessToken !== 'string' || !TOKEN.test(accessToken))
    throw new SignInError(
      'The provider answered without a token. Sign in once more, or paste a token instead.',
    );
  if (typeof type !== 'string' || type.toLowerCase() !== 'bearer')
    throw new SignInError(
      'The provider gave a token of a kind that this service does not take: it has to be a bearer token. Paste one instead.',
    );
  return { accessToken, refreshToken: typeof refreshToken === 'string' ? refreshToken : null };
}

function refusal(status: number, { error, error_description: said }: Answer): string {
  const code = typeof error === 'string' ? error.slice(0, MOST_SAID_CHARS) : String(status);
  const more = typeof said === 'string' && said !== '' ? ` It says: ${said.slice(0, MOST_SAID_CHARS)}` : '';
  if (code === 'invalid_grant')
    return `The provider does not take this sign-in any more (invalid_grant). Sign in once more.${more}`;
  if (code === 'invalid_client' || code === 'unauthorized_client')
    return `The provider does not know this console as a public client (${code}): whoever runs the service looks at FLOWGATE_OIDC_CONSOLE_CLIENT_ID.${more}`;
  return `The provider gave no token (${code}). Sign in once more, or paste a token instead.${more}`;
}

type Answer = Readonly<Record<string, unknown>>;

function parsed(text: string): Answer {
  try {
    return Object(JSON.parse(text)) as Answer;
  } catch {
    return {};
  }
}
