import type { CancelTimer, Clock } from '../../ports/clock.js';

/** What lasts less is ended to the millisecond, anything else at the end of its slot. */
const EXACT_BELOW_MS = 1_000;
const SLOT_MS = 10;
/** So many slots make a turn of a level, and one slot of the level above. */
const SLOTS = 64;
/** The turn of the highest holds all that a clock can say. */
const LEVELS = 7;

/** What is ended when its time is up, unless it comes to its end before. */
export interface Timed {
  overrun(): void;
}

/** One that was set: to drop it by. Its fields are for `Deadlines` alone. */
export class Deadline {
  /** Where it stands; null: it was told, or dropped. */
  slot: Slot | null = null;
  before: Deadline | null = null;
  after: Deadline | null = null;

  constructor(
    readonly of: Timed,
    /** Epoch ms. */
    readonly dueAt: number,
  ) {}
}

/** A list of deadlines, in the order in which they were set. */
interface Slot {
  first: Deadline | null;
  last: Deadline | null;
}

/**
 * The deadlines of everything that is in flight, with one timer for all of them: a wheel of slots, in levels, whose slots
 * are the longer the further away they are. Nearly every deadline is met, so setting one costs a few assignments, and
 * dropping it as few, which leaves nothing behind.
 *
 * 1. None is told early, by the clock's `now`; nor once it was dropped.
 * 2. One of less than a second is told as soon as the clock rings, a longer one up to 10 ms later.
 * 3. The timer rings for the earliest that there was when it was set. That one may be gone by then: the timer is set
 *    anew for the next, or rests. Dropping never touches it.
 * 4. All that are set stand in `current` or in later slots; in the lowest level that has both in one turn.
 */
export class Deadlines {
  /** All levels, the lowest first. */
  private readonly slots: Slot[] = [];
  /** Those whose time is up and that are not told yet. */
  private readonly ringing: Slot = { first: null, last: null };
  /** The number of a slot of the lowest level, counted from 1970. */
  private current = 0;
  private size = 0;
  private timerAt = Infinity;
  private cancelTimer: CancelTimer = () => undefined;
  private readonly ring = (): void => this.tellDue();

  constructor(private readonly clock: Clock) {}

  now(): number {
    return this.clock.now();
  }

  /** `now`: what the clock says, or said a moment ago. */
  set(of: Timed, now: number, lastsMs: number): Deadline {
    const at = now + lastsMs;
    const deadline = new Deadline(of, lastsMs < EXACT_BELOW_MS ? at : Math.ceil(at / SLOT_MS) * SLOT_MS);
    if (this.size === 0) this.current = Math.floor(now / SLOT_MS);
    this.size += 1;
    this.place(deadline);
    if (deadline.dueAt < this.timerAt) this.arm(deadline.dueAt);
    return deadline;
  }

  /** Harmless for one that was told, or dropped. */
  drop(deadline: Deadline): void {
    if (deadline.slot === null) return;
    this.size -= 1;
    unlink(deadline, deadline.slot);
  }

  private arm(at: number): void {
    this.cancelTimer();
    this.timerAt = at;
    this.cancelTimer = this.clock.schedule(at, this.ring);
  }

  private tellDue(): void {
    const now = this.clock.now();
    this.timerAt = Infinity;
    this.turnTo(now);
    const next = this.earliest();
    if (next !== null) this.arm(earliestIn(next.slot));
    try {
      for (let due = this.ringing.first; due !== null; due = this.ringing.first) {
        this.drop(due);
        due.of.overrun();
      }
    } finally {
      // One failed: the others are told when the clock rings again.
      if (this.ringing.first !== null) this.arm(now);
    }
  }

  /** Has those ring that are due by then. */
  private turnTo(now: number): void {
    for (let next = this.earliest(); next !== null; next = this.earliest()) {
      const { slot, level, number } = next;
      if (number * SLOT_MS > now) return;
      this.current = number;
      const here = takeAll(slot);
      for (const deadline of here) {
        // What stood in a slot of a higher level is spread over the levels below.
        if (deadline.dueAt <= now) link(deadline, this.ringing);
        else this.place(deadline);
      }
      if (level === 0 && slot.first !== null) return;
    }
  }

  private place(deadline: Deadline): void {
    const number = Math.max(Math.floor(deadline.dueAt / SLOT_MS), this.current);
    let level = 0;
    let width = 1;
    while (level < LEVELS - 1 && !areInOneTurn(number, this.current, width)) {
      level += 1;
      width *= SLOTS;
    }
    const index = level * SLOTS + (Math.floor(number / width) % SLOTS);
    link(deadline, (this.slots[index] ??= { first: null, last: null }));
  }

  /** The first slot in which any stands, with the number of the first of the lowest level that it spans. */
  private earliest(): { readonly slot: Slot; readonly level: number; readonly number: number } | null {
    if (this.size === 0) return null;
    let width = 1;
    for (let level = 0; level < LEVELS; level += 1) {
      const here = Math.floor(this.current / width);
      for (let index = here % SLOTS; index < SLOTS; index += 1) {
        const slot = this.slots[level * SLOTS + index];
        if (slot === undefined || slot.first === null) continue;
        const number = (here - (here % SLOTS) + index) * width;
        return { slot, level, number: Math.max(number, this.current) };
      }
      width *= SLOTS;
    }
    return null;
  }
}

function areInOneTurn(a: number, b: number, width: number): boolean {
  const turn = width * SLOTS;
  return Math.floor(a / turn) === Math.floor(b / turn);
}

function earliestIn({ first }: Slot): number {
  let earliest = Infinity;
  for (let deadline = first; deadline !== null; deadline = deadline.after) {
    if (deadline.dueAt < earliest) earliest = deadline.dueAt;
  }
  return earliest;
}

function link(deadline: Deadline, slot: Slot): void {
  deadline.slot = slot;
  deadline.before = slot.last;
  deadline.after = null;
  if (slot.last === null) slot.first = deadline;
  else slot.last.after = deadline;
  slot.last = deadline;
}

function unlink(deadline: Deadline, slot: Slot): void {
  const { before, after } = deadline;
  if (before === null) slot.first = after;
  else before.after = after;
  if (after === null) slot.last = before;
  else after.before = before;
  deadline.slot = deadline.before = deadline.after = null;
}

function takeAll(slot: Slot): readonly Deadline[] {
  const all: Deadline[] = [];
  for (let deadline = slot.first; deadline !== null; deadline = deadline.after) all.push(deadline);
  slot.first = slot.last = null;
  return all;
}
