/** How it is found out who is asking. At least one of `keys` and `oidc` is on. */
export interface AccessOptions {
  /** API keys of our own; null: they are refused. */
  readonly keys: KeyOptions | null;
  /** Tokens of an OpenID Connect issuer; null: they are refused. */
  readonly oidc: OidcOptions | null;
  /**
   * The path of the JSON file with roles of one's own and the grants of those who come with tokens (`FLOWGATE_ACCESS_FILE`);
   * null: the built-in roles, and no token is granted anything. Its roles count for keys, too.
   */
  readonly accessFile: string | null;
}

export interface KeyOptions {
  /** How many days a key may live at most, 1 to 36,500 (`FLOWGATE_MAX_KEY_DAYS`, 365). */
  readonly maxKeyDays: number;
  /**
   * SHA-256, in hex, of a key of 32 to 256 characters that whoever starts the service chose: it makes keys, and nothing else,
   * while no key lives that may manage keys in all namespaces. Null: there is none (`FLOWGATE_BOOTSTRAP_KEY_SHA256`).
   */
  readonly bootstrapKeySha256: string | null;
}

export interface OidcOptions {
  /** The issuer, character by character as its tokens name it: an https URL, or http on this machine (`FLOWGATE_OIDC_ISSUER`). */
  readonly issuer: string;
  /** A token is taken if it is meant for one of these; at least one (`FLOWGATE_OIDC_AUDIENCE`). */
  readonly audience: readonly string[];
  /** With which tokens may be signed, all of them asymmetric (`FLOWGATE_OIDC_ALGORITHMS`; RS256, PS256, ES256, EdDSA). */
  readonly algorithms: readonly string[];
  /** The claim that names the owner; `email` counts only where `email_verified` is true (`FLOWGATE_OIDC_SUBJECT_CLAIM`, `sub`). */
  readonly subjectClaim: string;
  /** The claim with the list of groups; null: tokens bring no groups (`FLOWGATE_OIDC_GROUPS_CLAIM`). */
  readonly groupsClaim: string | null;
}
