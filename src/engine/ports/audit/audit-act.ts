import type { Actor } from '../../core/log/actor.js';
import type { AuditAction } from '../../vocabulary.js';

/** Who acted. Names for people to read are not kept. `id`: of a key its id, of anybody else their name once more. */
export type AuditActor = Pick<Actor, 'id' | 'owner' | 'via' | 'auth'>;

/** What else is known of an act: names, numbers and hashes, never a payload, a comment or a secret. */
export type AuditFacts = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** What somebody did. */
export interface AuditAct {
  /** Epoch ms. */
  readonly at: number;
  readonly action: AuditAction;
  /** Null: it belongs to none. */
  readonly namespace: string | null;
  /** Null: the service itself, or nobody who is known. */
  readonly by: AuditActor | null;
  readonly workflowId: string | null;
  readonly runId: string | null;
  /** Of the event of the run's log that says so; null: none does. */
  readonly seq: number | null;
  /** The account that it was done to; null: none. */
  readonly subject: string | null;
  /** What it was done to, by an id or a hash: a key, a definition, a file; null: what the other fields say. */
  readonly target: string | null;
  readonly facts: AuditFacts;
}

/** An act as it stands in the audit. */
export interface AuditRow extends AuditAct {
  /** Grows in the order in which acts were recorded, by any number. */
  readonly id: number;
}

type Given = Pick<AuditAct, 'at' | 'action'> & Partial<AuditAct>;

/** The act, with null for what is left out. */
export function auditAct({ by = null, ...given }: Given): AuditAct {
  return {
    namespace: null,
    workflowId: null,
    runId: null,
    seq: null,
    subject: null,
    target: null,
    facts: {},
    ...given,
    by: by === null ? null : auditActor(by),
  };
}

/** A token has an id of its own, which is of no use to whoever reads of it: the account is named in its place. */
function auditActor({ id, owner, via, auth }: AuditActor): AuditActor {
  return { id: auth === 'key' || owner === null ? id : owner, owner, via, auth };
}
