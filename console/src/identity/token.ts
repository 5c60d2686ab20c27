import { keep } from './kept.js';
import { provider } from './provider/sign-in-flow.js';
import { isRenewable, renewed } from './provider/renewal.js';
import { KEY, session } from './session.js';

/** Nothing is asked of the service until somebody has signed in again. */
class SignInNeededError extends Error {
  constructor() {
    super('Sign in again: the service no longer takes what you signed in with.');
  }
}

/** The token that the service refused, and that may be replaced; null: none was. */
let refusedToken: string | null = null;
/** The token that replaced it, until the service has taken it: one that it refuses as well is not replaced again. */
let unproven: string | null = null;

/** What the client sends; another one where the last was refused and the provider gives one. Rejects where somebody has to sign in. */
export async function currentToken(): Promise<string> {
  const { key, edition, isRefused } = session;
  const token = key.peek();
  if (token === null || isRefused.peek()) throw new SignInNeededError();
  if (token !== refusedToken) return token;
  const asked = edition.peek();
  const other = await renewed(provider(), asked);
  // Somebody else has signed in meanwhile.
  if (edition.peek() !== asked) return currentToken();
  // Somebody who asked at the same time was here first.
  if (key.peek() !== token) return currentToken();
  if (other === null) {
    isRefused.value = true;
    throw new SignInNeededError();
  }
  unproven = other;
  keep(KEY, other);
  key.value = other;
  return other;
}

/** What a status says about the token with which the request was sent; an older one no longer counts. */
export function noticeToken(status: number, authorization: string | null): void {
  const token = session.key.peek();
  if (token === null || authorization !== `Bearer ${token}`) return;
  if (status !== 401) {
    if (token === unproven) unproven = null;
    return;
  }
  if (token !== unproven && isRenewable(session.edition.peek())) refusedToken = token;
  else session.isRefused.value = true;
}
