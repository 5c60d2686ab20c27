import type { BegunSignIn, Provider } from './authorization.js';
import { SignInError, tokensIn, type Tokens } from './token-answer.js';

const WITHIN_MS = 20_000;
const MOST_BYTES = 256 * 1024;

/** The tokens for a code, which is good once. Rejects with a `SignInError`. */
export function redeem(
  provider: Provider,
  { verifier, redirectUri }: Pick<BegunSignIn, 'verifier' | 'redirectUri'>,
  code: string,
): Promise<Tokens> {
  return ask(provider, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  });
}

/** Other tokens, in the place of one that has expired. Rejects with a `SignInError`. */
export async function renew(provider: Provider, refreshToken: string): Promise<Tokens> {
  const tokens = await ask(provider, { grant_type: 'refresh_token', refresh_token: refreshToken });
  // A provider that gives no other one goes on taking this one.
  return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
}

async function ask(
  { clientId, endpoints: { token } }: Provider,
  form: Readonly<Record<string, string>>,
): Promise<Tokens> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(token, {
      method: 'POST',
      // A form: browsers send it without asking first.
      body: new URLSearchParams({ ...form, client_id: clientId }),
      headers: { accept: 'application/json' },
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    text = await boundedText(response);
  } catch {
    throw new SignInError(await whyUnanswered(token));
  }
  return tokensIn(response.status, text);
}

/** A browser does not tell a page why it may not read an answer; whether anybody is there, it does. */
async function whyUnanswered(token: string): Promise<string> {
  const { origin } = new URL(token);
  try {
    await fetch(token, { mode: 'no-cors', credentials: 'omit', signal: AbortSignal.timeout(WITHIN_MS) });
  } catch {
    return `The provider at ${origin} does not answer. Try it in a minute, or paste a token instead.`;
  }
  return (
    `The provider at ${origin} does not let this page read its answer: whoever runs it allows the origin ` +
    `${window.location.origin} there (CORS). Until then paste a token.`
  );
}

async function boundedText({ body }: Response): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MOST_BYTES) {
      await reader.cancel();
      throw new RangeError('The answer is longer than any token');
    }
    text += decoder.decode(value, { stream: true });
  }
}
