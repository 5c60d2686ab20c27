/** Where a provider signs people in, as its document says. */
export interface SignInEndpoints {
  readonly authorization: string;
  readonly token: string;
  /** Whether it says with each answer which provider it is (RFC 9207): then one that does not is not its own. */
  readonly namesIssuer: boolean;
}

/** How pages of this service sign people in with the provider whose tokens are taken. */
export interface SignIn {
  readonly issuer: string;
  /** Of a public client: it has no secret. */
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Null: the provider cannot be read now. */
  endpoints(): Promise<SignInEndpoints | null>;
}
