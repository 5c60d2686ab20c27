import type { Permission } from '../../vocabulary.js';

/** What a principal may do, and where. */
export interface Grant {
  /** A namespace, or `*` for each of them and for what belongs to none. */
  readonly namespace: string;
  /** Names of roles; one that is not known gives nothing. */
  readonly roles: readonly string[];
  /**
   * Ids of workflows, each of which may end in `*`: only these are addressed by what the principal asks for. What their documents
   * call is bounded by the namespace alone. Absent: all. At most 50.
   */
  readonly workflows?: readonly string[];
}

/** Who is asking, as whoever authenticated them says. */
export interface Principal {
  /** Who, in what is recorded: that of a key or a token. */
  readonly id: string;
  /** The account: what rules compare, character by character. One for all tokens and keys of a person. */
  readonly owner: string;
  /** For people to read. */
  readonly name?: string;
  readonly groups: readonly string[];
  readonly grants: readonly Grant[];
  readonly auth: 'key' | 'jwt' | 'host';
  /** Epoch ms; null: it does not expire by itself. */
  readonly expiresAt: number | null;
}

/** The permissions of each role, by its name. */
export type Roles = ReadonlyMap<string, readonly Permission[]>;

const MAX_OWNER_CHARS = 256;
export const MAX_GROUPS = 256;
export const MAX_GRANTS = 100;
export const MAX_GRANTED_WORKFLOWS = 50;

/** Whether a text may name an account: exact, short, in the one form that compares equal, with nothing invisible that steers. */
export function isOwner(text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text !== '' &&
    text.length <= MAX_OWNER_CHARS &&
    text.isWellFormed() &&
    text.normalize('NFC') === text &&
    !/\p{Cc}/u.test(text)
  );
}
