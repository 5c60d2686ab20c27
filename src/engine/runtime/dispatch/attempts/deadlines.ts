import type { CancelTimer, Clock } from '../../../ports/clock.js';

/** Shorter deadlines fire to the millisecond, longer ones at the end of their slot. */
const EXACT_BELOW_MS = 1_000;
const SLOT_MS = 10;
/** This many slots make one revolution of a level, and one slot of the level above. */
const SLOTS = 64;
/** One revolution of the highest level spans every time that a clock can return. */
const LEVELS = 7;

/** Something that is ended when its deadline passes, unless it ends before. */
export interface Timed {
  overrun(): void;
}

/** The handle of a deadline, for dropping it. Only `Deadlines` uses its fields. */
export class Deadline {
  /** The slot that holds it; null: it fired, or was dropped. */
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
 * The deadlines of everything that is in flight, with one timer for all of them: a hierarchical timing wheel, whose slots
 * are longer the further away they are. Nearly every deadline is met, so setting and dropping one cost a few assignments,
 * and dropping leaves nothing behind.
 *
 * 1. None fires early, by the clock's `now`, nor after it was dropped.
 * 2. One of less than a second fires as soon as the clock's timer does, a longer one up to 10 ms later.
 * 3. The timer is set for the deadline that was the earliest at that time. If that one was dropped, the timer is set again
 *    for the next one, or not at all. Dropping never touches the timer.
 * 4. All that are set are in `current` or in later slots, in the lowest level that has both in one revolution.
 */
export class Deadlines {
  /** All levels, the lowest first. */
  private readonly slots: Slot[] = [];
  /** Deadlines that have passed and are about to fire. */
  private readonly firing: Slot = { first: null, last: null };
  /** The number of the current slot of the lowest level, counted from 1970. */
  private current = 0;
  private size = 0;
  private timerAt = Infinity;
  private cancelTimer: CancelTimer = () => undefined;
  private readonly fire = (): void => this.fireDue();

  constructor(private readonly clock: Clock) {}

  now(): number {
    return this.clock.now();
  }

  /** `now`: what the clock says, or just said. */
  set(of: Timed, now: number, lastsMs: number): Deadline {
    const at = now + lastsMs;
    const deadline = new Deadline(of, lastsMs < EXACT_BELOW_MS ? at : Math.ceil(at / SLOT_MS) * SLOT_MS);
    if (this.size === 0) this.current = Math.floor(now / SLOT_MS);
    this.size += 1;
    this.insert(deadline);
    if (deadline.dueAt < this.timerAt) this.arm(deadline.dueAt);
    return deadline;
  }

  /** Does nothing for one that fired, or was dropped. */
  drop(deadline: Deadline): void {
    if (deadline.slot === null) return;
    this.size -= 1;
    unlink(deadline, deadline.slot);
  }

  private arm(at: number): void {
    this.cancelTimer();
    this.timerAt = at;
    this.cancelTimer = this.clock.schedule(at, this.fire);
  }

  private fireDue(): void {
    const now = this.clock.now();
    this.timerAt = Infinity;
    this.advanceTo(now);
    const next = this.earliest();
    if (next !== null) this.arm(earliestIn(next.slot));
    try {
      for (let due = this.firing.first; due !== null; due = this.firing.first) {
        this.drop(due);
        due.of.overrun();
      }
    } finally {
      // One failed: the others fire with the next timer.
      if (this.firing.first !== null) this.arm(now);
    }
  }

  /** Moves the deadlines that are due by then to `firing`. */
  private advanceTo(now: number): void {
    for (let next = this.earliest(); next !== null; next = this.earliest()) {
      const { slot, level, number } = next;
      if (number * SLOT_MS > now) return;
      this.current = number;
      const here = takeAll(slot);
      for (const deadline of here) {
        // Deadlines in a slot of a higher level are spread over the levels below.
        if (deadline.dueAt <= now) link(deadline, this.firing);
        else this.insert(deadline);
      }
      if (level === 0 && slot.first !== null) return;
    }
  }

  private insert(deadline: Deadline): void {
    const number = Math.max(Math.floor(deadline.dueAt / SLOT_MS), this.current);
    let level = 0;
    let width = 1;
    while (level < LEVELS - 1 && !areInOneRevolution(number, this.current, width)) {
      level += 1;
      width *= SLOTS;
    }
    const index = level * SLOTS + (Math.floor(number / width) % SLOTS);
    link(deadline, (this.slots[index] ??= { first: null, last: null }));
  }

  /** The first slot that is not empty, with the number of the first slot of the lowest level that it spans. */
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

function areInOneRevolution(a: number, b: number, width: number): boolean {
  const revolution = width * SLOTS;
  return Math.floor(a / revolution) === Math.floor(b / revolution);
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
