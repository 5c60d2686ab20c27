import type { GateClosing } from '../../vocabulary.js';
import type { Unstamped } from '../log/event-base.js';
import type { RunEvent } from '../log/event.js';
import { RUN_OVERRAN } from '../log/failure.js';
import type { ClosingReason } from '../state/scope.js';
import type { RunState } from '../state/state.js';
import type { GateClosed } from '../waits/events/gate-events.js';
import type { Gate } from '../waits/gate.js';
import { itemAround } from './named-item.js';
import { waitsOf } from '../waits/wait-kind.js';

const NONE: readonly never[] = [];

/** What is kept of the state before an event, to find the gates that it closes. */
export type GatesBefore = Pick<RunState, 'phase' | 'waits' | 'forPeople' | 'scopes'>;

/**
 * The events that say which gates an event closed; mostly none. A decision says so itself. Costs nothing while no gate is
 * open, and a look at all waits where some close.
 */
export function closedGates(
  before: GatesBefore,
  event: RunEvent,
  after: RunState,
): readonly Unstamped<GateClosed>[] {
  if (before.forPeople === 0 || before.phase !== 'live' || event.type === 'gate-decided') return NONE;
  const isOver = after.phase !== 'live';
  const mayClose = isOver || after.forPeople < before.forPeople || event.type === 'rewound';
  if (!mayClose) return NONE;
  return waitsOf<Gate>(before, 'gate')
    .filter(({ id }) => isOver || !after.waits.has(id))
    .map(({ id: gateId, unitId, scope }) => {
      const item = itemAround(before, scope);
      const closed = { type: 'gate-closed', gateId, unitId, why: whyClosedBy(event) } as const;
      return item === undefined ? closed : { ...closed, item };
    });
}

const BY_REASON: Readonly<Record<ClosingReason, GateClosing>> = {
  failure: 'failure',
  timeout: 'timeout',
  overrun: 'timeout',
  cancel: 'cancel',
  race: 'race',
  // What the run waited for is set aside: no gate is open.
  again: 'failure',
};

/** What else closes gates does so because something failed. */
const BY_TYPE: Readonly<Partial<Record<RunEvent['type'], GateClosing>>> = {
  rewound: 'rewind',
  'node-closed': 'race',
  'deadline-passed': 'timeout',
  'cancel-requested': 'cancel',
  'clean-up-started': 'cancel',
  'run-cancelled': 'cancel',
};

function whyClosedBy(event: RunEvent): GateClosing {
  if (event.type === 'unwinding') return BY_REASON[event.reason];
  if (event.type === 'run-failed' && event.error.startsWith(RUN_OVERRAN)) return 'timeout';
  return BY_TYPE[event.type] ?? 'failure';
}
