import type { EventBase, Location } from '../../src/engine/core/log/event-base.js';
import { FROM_OUTSIDE, OF_A_THREAD } from '../../src/engine/core/log/event-facts.js';
import { instant, location, name, text, whole } from '../../src/engine/core/log/event-shape.js';
import { finishUnit, moveCursor } from '../../src/engine/core/fold/scopes.js';
import { admitted } from '../../src/engine/core/state/scope.js';
import type { Wait } from '../../src/engine/core/state/wait.js';
import { closeWait, openWait } from '../../src/engine/core/waits/state-indexes.js';
import { waitOf, type Message, type WaitKind } from '../../src/engine/core/waits/wait-kind.js';

/** A bell that somebody rings, or that rings by itself when its time has come: a kind of wait that only tests know. */
export interface Bell extends Wait {
  readonly kind: 'bell';
  readonly tone: string;
}

interface BellHung extends EventBase, Location {
  readonly type: 'bell-hung';
  readonly unitId: string;
  /** Version 1 called it `sound`. */
  readonly tone: string;
  readonly dueAt: number;
}

interface BellRung extends EventBase {
  readonly type: 'bell-rung';
  readonly bellId: number;
  readonly by: string;
}

interface Ring {
  readonly type: 'ring';
  readonly bellId: number;
  readonly by: string;
}

type Rang = Message & { readonly type: 'rang'; readonly by: string };

interface AwaitRing {
  readonly type: 'await-ring';
  readonly bellId: number;
}

export const bell: WaitKind<Bell, BellHung | BellRung, Ring, AwaitRing, Rang> = {
  kind: 'bell',
  events: {
    'bell-hung': {
      facts: {
        ...OF_A_THREAD,
        schedulesUnit: true,
        logFields: ['unitId', 'tone', 'dueAt'],
        shape: { ...location, unitId: name, tone: text, dueAt: instant },
      },
      upcasts: [({ sound, ...event }) => ({ ...event, tone: sound ?? '' })],
      fold(draft, { seq: id, path, scope, unitId, tone, dueAt }) {
        const hung: Bell = {
          id,
          kind: 'bell',
          path,
          scope,
          unitId,
          dueAt,
          heldBy: null,
          standing: 'moving',
          chars: tone.length,
          tone,
        };
        openWait(draft, hung);
        moveCursor(draft, scope, { phase: 'waiting', path, id });
      },
      touches: ({ seq }) => [seq],
    },
    'bell-rung': {
      facts: {
        ...FROM_OUTSIDE,
        mayPause: true,
        publicForm: ({ bellId: executionId }) => ({
          type: 'unit.finished',
          data: { executionId, unitId: '', kind: 'timer' },
        }),
        logFields: ['bellId', 'by'],
        shape: { bellId: whole, by: text },
      },
      upcasts: [],
      isCheckpoint: true,
      fold(draft, { seq, bellId, by }) {
        const hung = waitOf<Bell>(draft, 'bell', bellId);
        if (hung === undefined) return;
        closeWait(draft, hung);
        finishUnit(draft, hung, seq, [[`output.${hung.unitId}`, `${hung.tone} by ${by}`]]);
      },
      messages: ({ at: timestamp, by }) => [{ type: 'rang', timestamp, by }],
    },
  },
  signals: {
    ring(turn, { bellId, by }) {
      const hung = turn.state.phase === 'live' ? waitOf<Bell>(turn.state, 'bell', bellId) : undefined;
      if (hung === undefined) return;
      turn.emit({ type: 'bell-rung', bellId, by });
      turn.ready.add(hung.scope);
    },
  },
  unstorable: { ring: 'pauses-run' },
  due(turn, { id: bellId, scope }) {
    turn.emit({ type: 'bell-rung', bellId, by: 'the clock' });
    turn.ready.add(scope);
  },
  requiredCommands: ({ id: bellId }) => ({ type: 'await-ring', bellId }),
  parked: ({ path }) => admitted(path),
  rewound: ({ path }) => admitted(path),
  forked: ({ path }) => admitted(path),
};
