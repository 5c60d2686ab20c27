import type { Principal } from '../../engine/index.js';
import { ForbiddenError } from '../../errors/access-errors.js';
import type { ApiKeys } from '../api-keys.js';

type NoteRefusal = (by: Principal, error: ForbiddenError) => void;

/** The keys, where it is noted what somebody may not do with them. */
export class NotedKeys implements ApiKeys {
  constructor(
    private readonly keys: ApiKeys,
    private readonly note: NoteRefusal,
  ) {}

  make(by: Principal, request: Parameters<ApiKeys['make']>[1]): ReturnType<ApiKeys['make']> {
    return this.noting(by, this.keys.make(by, request));
  }

  list(by: Principal, request: Parameters<ApiKeys['list']>[1]): ReturnType<ApiKeys['list']> {
    return this.noting(by, this.keys.list(by, request));
  }

  rotate(
    by: Principal,
    id: string,
    request: Parameters<ApiKeys['rotate']>[2],
  ): ReturnType<ApiKeys['rotate']> {
    return this.noting(by, this.keys.rotate(by, id, request));
  }

  revoke(by: Principal, id: string): Promise<void> {
    return this.noting(by, this.keys.revoke(by, id));
  }

  revokeOwner(by: Principal, owner: string): Promise<void> {
    return this.noting(by, this.keys.revokeOwner(by, owner));
  }

  private noting<T>(by: Principal, work: Promise<T>): Promise<T> {
    return noted(this.note, by, work);
  }
}

/** As the work, noting where somebody may not do it. */
export async function noted<T>(note: NoteRefusal, by: Principal, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ForbiddenError) note(by, error);
    throw error;
  }
}
