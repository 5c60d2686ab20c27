import type { Actor } from '../../core/log/actor.js';
import type { RunEvent } from '../../core/log/event.js';
import { auditAct, type AuditAct, type AuditFacts } from '../../ports/audit/audit-act.js';
import type { LogEntry } from '../../ports/store/commit-log.js';
import type { AuditAction } from '../../vocabulary.js';

/** What an event says that somebody did. */
interface Told {
  readonly action: AuditAction;
  readonly target?: string;
  readonly facts?: AuditFacts;
}

/** The events that say who caused them. */
type EventOfSomebody = NamesSomebody<RunEvent>;
type NamesSomebody<Event> = Event extends unknown ? ('by' extends keyof Event ? Event : never) : never;

type Appended = LogEntry & { readonly kind: 'appended' };

/**
 * What the events of one append say that somebody did, in their order.
 *
 * 1. What the engine did by itself is no act, nor is the start of a child, or its pause with its parent: the parent's log has that.
 * 2. Of an imported log only the import happened here.
 * 3. Names, numbers and hashes are told, never what a run works with, nor a comment.
 */
export function actsOfEntry(entry: Appended, events: readonly RunEvent[]): readonly AuditAct[] {
  const acts: AuditAct[] = [];
  for (const event of events) {
    if (entry.isImport === true && event.type !== 'run-imported') continue;
    if (!isOfSomebody(event)) continue;
    const { by } = event;
    if (by === undefined || by.via === 'engine') continue;
    const told = toldBy(event);
    if (told === null) continue;
    const act = actOf(entry, event, by, told);
    if (!acts.some((known) => isOneRequest(known, act))) acts.push(act);
  }
  return acts;
}

function actOf(entry: Appended, event: EventOfSomebody, by: Actor, told: Told): AuditAct {
  const { namespace, workflowId, runId } = entry;
  return auditAct({ at: event.at, seq: event.seq, namespace, workflowId, runId, by, ...told });
}

function isOfSomebody(event: RunEvent): event is EventOfSomebody {
  return 'by' in event;
}

/** One request may lift several pauses, and tells the family of the run. */
function isOneRequest(one: AuditAct, other: AuditAct): boolean {
  if (one.action !== other.action) return false;
  if (one.action !== 'run.resume' && one.action !== 'run.pause') return false;
  return one.by?.id === other.by?.id && one.by?.owner === other.by?.owner && one.by?.via === other.by?.via;
}

type Tellers = {
  readonly [Type in EventOfSomebody['type']]: (
    event: EventOfSomebody & { readonly type: Type },
  ) => Told | null;
};

/** Null: it is the consequence of another act. */
const TELLERS: Tellers = {
  'run-started': ({ parent, origin, definitionHash }) => {
    // A child is begun by its parent, and a fork says so itself.
    const isAct = parent === null && origin.type !== 'fork';
    return isAct ? { action: 'run.start', target: definitionHash } : null;
  },
  'run-forked': ({ fromRunId, fromSeq }) => ({ action: 'run.fork', target: fromRunId, facts: { fromSeq } }),
  'run-imported': ({ sha256 }) => ({ action: 'run.import', target: sha256 }),
  rewound: ({ toSeq }) => ({ action: 'run.rewind', facts: { toSeq } }),
  resumed: () => ({ action: 'run.resume' }),
  'family-resumed': () => ({ action: 'run.resume' }),
  paused: ({ orderSeq }) => (orderSeq === undefined ? { action: 'run.pause' } : null),
  'family-paused': () => ({ action: 'run.pause' }),
  'cancel-requested': () => ({ action: 'run.cancel', facts: { isOver: false } }),
  'run-cancelled': () => ({ action: 'run.cancel', facts: { isOver: true } }),
  'compensation-requested': () => ({ action: 'run.compensate' }),
  'gate-decided': ({ timedOut, gateId, unitId, approved }) =>
    timedOut === true ? null : { action: 'gate.decide', facts: { gateId, unitId, approved } },
};

/** The events that may tell of an act, in whichever version. */
export const TYPES_WITH_ACTS: readonly string[] = Object.keys(TELLERS);

function toldBy(event: EventOfSomebody): Told | null {
  return (TELLERS[event.type] as (event: EventOfSomebody) => Told | null)(event);
}
