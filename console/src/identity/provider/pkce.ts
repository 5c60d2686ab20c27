/** What only whoever begins a sign-in knows, and what the provider is told of it (RFC 7636, S256). */
export interface ProofKey {
  readonly verifier: string;
  readonly challenge: string;
}

const RANDOM_BYTES = 32;

export async function newProofKey(): Promise<ProofKey> {
  const verifier = randomText();
  return { verifier, challenge: await challengeOf(verifier) };
}

/** 256 bits that nobody can guess, as letters that every address can carry. */
export function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
}

export async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
