import type { WAYS_IN } from '../../vocabulary.js';

/** Who did something to a run. Kept in the log, so never a secret and never more than the caller may see. */
export interface Actor {
  /** Who: the responder that a decision names, an account, or `user` where none was named. */
  readonly id: string;
  /** The account that the request was authenticated as; null: it was not authenticated. */
  readonly owner: string | null;
  /** For people to read. */
  readonly name?: string;
  readonly via: (typeof WAYS_IN)[number];
  /** How it is known who it was: `none` means that it was only claimed. */
  readonly auth: 'none' | 'host' | 'key' | 'jwt';
}

/** An actor who was not authenticated, and of whom at most a name is known. */
export function anonymous(via: Actor['via'], id = 'user'): Actor {
  return { id, owner: null, via, auth: 'none' };
}

/** An actor whom the application around the engine knows. */
export function identified(via: Actor['via'], id: string): Actor {
  return { id, owner: id, via, auth: 'host' };
}

/** The engine itself, as in a pause that ends by itself or a decision that is tried again. */
export const ENGINE_ACTOR: Actor = { id: 'engine', owner: null, via: 'engine', auth: 'host' };
