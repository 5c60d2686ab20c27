/** Who did something to a run. Kept in the log, so never a secret and never more than the caller may see. */
export interface Actor {
  /** Who: the responder that a decision names, an account, or `user` where nobody said. */
  readonly id: string;
  /** The account that the request was authenticated as; null: nobody was. */
  readonly owner: string | null;
  /** For people to read. */
  readonly name?: string;
  /** The way in: `unknown` in events of before this was recorded. */
  readonly via: 'http' | 'mcp' | 'in-process' | 'engine' | 'unknown';
  /** How it is known who it was: `none` means that it was only claimed. */
  readonly auth: 'none' | 'host';
}

/** Somebody of whom only a name is known, or not even that. */
export function anonymous(via: Actor['via'], id = 'user'): Actor {
  return { id, owner: null, via, auth: 'none' };
}

/** Somebody whom the application around the engine knows. */
export function identified(via: Actor['via'], id: string): Actor {
  return { id, owner: id, via, auth: 'host' };
}

/** The engine itself: a pause that ends by itself, a decision that is tried again. */
export const ENGINE_ACTOR: Actor = { id: 'engine', owner: null, via: 'engine', auth: 'host' };
