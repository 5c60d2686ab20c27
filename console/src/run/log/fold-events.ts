import type { RunEvent } from '../../../../clients/typescript/src/types/events.js';
import type { JsonObject } from '../../../../clients/typescript/src/types/json.js';
import { FOLDS, located } from './event-folds.js';
import type { Execution, RunPicture } from './picture.js';
import { RunDraft } from './run-draft.js';

/**
 * Folds the events of a run, in the view `log`, as they come.
 *
 * 1. An event is taken once: one whose seq is not greater than the last one's is passed over.
 * 2. A run that goes back stands as after the event it went back to; what it did since is kept as superseded.
 * 3. What a fork inherited comes first, with seqs of 0 or less, as the log itself numbers it (see `rebased`).
 * 4. Where the beginning is missing, what is known is shown: an outcome whose beginning was never seen tells nothing.
 */
export class RunFold {
  #draft = new RunDraft();
  /** The events that count, without those that the run went back beyond. */
  #log: RunEvent[] = [];
  #superseded: readonly Execution[] = [];
  #picture: RunPicture | null = null;

  /** False: nothing was new. */
  take(events: readonly RunEvent[]): boolean {
    let isNew = false;
    for (const event of events) {
      if (this.#log.length > 0 && event.seq <= this.#draft.lastSeq) continue;
      isNew = true;
      if (event.type === 'rewound') this.#goBack(event);
      else this.#log.push(event);
      this.#fold(event);
    }
    if (isNew) this.#picture = null;
    return isNew;
  }

  /** The same object until something new was taken. */
  get picture(): RunPicture {
    return (this.#picture ??= this.#draft.picture(this.#superseded));
  }

  #fold(event: RunEvent): void {
    const draft = this.#draft;
    draft.lastAt = event.at;
    draft.lastSeq = event.seq;
    FOLDS[event.type]?.(draft, located(event));
  }

  #goBack(event: RunEvent): void {
    const toSeq = Number(event.data['toSeq'] ?? 0);
    const left = this.#draft.begunAfter(toSeq).map((execution) => ({
      ...execution,
      isSuperseded: true,
      endedAt: execution.endedAt ?? event.at,
    }));
    this.#superseded = [...this.#superseded, ...left];
    this.#log = this.#log.filter(({ seq }) => seq <= toSeq);
    this.#draft = new RunDraft();
    for (const one of this.#log) this.#fold(one);
    // Every wait that was open then is opened anew, by events that follow.
    this.#draft.supersedeOpen();
    this.#draft.phase = 'live';
    this.#draft.endedAt = null;
    this.#draft.error = null;
  }
}

const IDS = ['executionId', 'gateId', 'timerId', 'childId', 'pauseId', 'compensates', 'key', 'since'];

/** An event of a run that a fork came from: its `runId` is that of the run in whose log it is. */
export interface InheritedEvent extends RunEvent {
  /** Its seq there. */
  readonly originSeq: number;
}

/** The events of a fork's source up to where it begins, with the seqs and ids by which the fork's own log names them. */
export function rebased(
  events: readonly (RunEvent | InheritedEvent)[],
  fromSeq: number,
): readonly InheritedEvent[] {
  return events
    .filter(({ seq }) => seq <= fromSeq)
    .map((event) => ({
      ...event,
      seq: event.seq - fromSeq,
      originSeq: 'originSeq' in event ? event.originSeq : event.seq,
      data: rebasedData(event.data, fromSeq),
    }));
}

function rebasedData(data: JsonObject, fromSeq: number): JsonObject {
  const moved = IDS.flatMap((field) => {
    const id = data[field];
    return typeof id === 'number' ? [[field, id - fromSeq] as const] : [];
  });
  return moved.length === 0 ? data : { ...data, ...Object.fromEntries(moved) };
}
