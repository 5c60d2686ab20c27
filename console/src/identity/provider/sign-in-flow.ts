import { signal } from '@preact/signals';
import { settings } from '../../api/settings.js';
import { FRONT, type Address } from '../../app/address.js';
import { keep, kept } from '../kept.js';
import { session, useKey } from '../session.js';
import { answerIn, authorizationUrl, type BegunSignIn, type Provider } from './authorization.js';
import { newProofKey, randomText } from './pkce.js';
import { keepRenewable } from './renewal.js';
import { redeem } from './token-endpoint.js';

/** The address to which the provider sends people back. */
export const SIGNED_IN = 'signed-in';
const BEGUN = 'signing-in';

/** Why the last sign-in led to nothing; null: none did. */
export const signInFault = signal<string | null>(null);

/** Null: there is none, or the service could not read where it is. */
export function provider(): Provider | null {
  const { signIn } = settings.value.identity;
  return signIn === undefined || signIn.endpoints === null
    ? null
    : { ...signIn, endpoints: signIn.endpoints };
}

/** Leaves the page for that of the provider. Says in `signInFault` where that cannot be. */
export async function beginSignIn(from: Address): Promise<void> {
  signInFault.value = null;
  const known = provider();
  if (known === null) {
    signInFault.value =
      'The service cannot read where its provider signs people in. Load this page again in a minute, or paste a token.';
    return;
  }
  if (!window.isSecureContext) {
    signInFault.value =
      'Browsers sign people in over HTTPS alone: open this page by its https address, or paste a token.';
    return;
  }
  const { issuer } = known;
  const [state, { verifier, challenge }] = [randomText(), await newProofKey()];
  const redirectUri = new URL(SIGNED_IN, new URL('.', window.location.href)).href;
  const begun: BegunSignIn = { issuer, state, verifier, redirectUri, from };
  keep(BEGUN, JSON.stringify(begun));
  window.location.assign(authorizationUrl(known, { state, challenge, redirectUri }));
}

/**
 * Takes what the provider says with the query of the page, and gives what the person asked for before. The sign-in that was begun is
 * forgotten first, so that no answer is taken twice.
 */
export function takeAnswer(query: URLSearchParams): { readonly from: Address; complete(): Promise<void> } {
  const begun = takeBegun();
  const known = provider();
  return {
    from: begun?.from ?? { screen: FRONT, query: {} },
    async complete() {
      try {
        if (known === null)
          throw new Error('The service cannot read who its provider is. Sign in once more.');
        const answer = answerIn(query, begun, known);
        if (!answer.ok) throw new Error(answer.fault);
        if (begun === null) return;
        const { accessToken, refreshToken } = await redeem(known, begun, answer.code);
        useKey(accessToken);
        keepRenewable(refreshToken, session.edition.peek());
      } catch (error) {
        signInFault.value = error instanceof Error ? error.message : String(error);
      }
    },
  };
}

function takeBegun(): BegunSignIn | null {
  const text = kept(BEGUN);
  keep(BEGUN, null);
  try {
    return text === null ? null : (JSON.parse(text) as BegunSignIn);
  } catch {
    return null;
  }
}
