/** A member of a heap: the lightest comes first, of those that weigh the same the one that waits longest. */
export interface Prioritized {
  weight: number;
  /** Which of all that were added it was; the heap sets it. */
  since: number;
  /** Where in the heap it stands; -1: in none. The heap sets it. */
  index: number;
}

/** A heap whose members know where in it they are, so that one can change its weight, or leave, in log n steps. */
export class PriorityHeap<Member extends Prioritized> {
  private readonly members: Member[] = [];
  private added = 0;

  get size(): number {
    return this.members.length;
  }

  get first(): Member | undefined {
    return this.members[0];
  }

  /** All of them, in no order. */
  [Symbol.iterator](): Iterator<Member> {
    return this.members[Symbol.iterator]();
  }

  /** The one that was added last. Looks at all of them. */
  get newest(): Member | undefined {
    let newest: Member | undefined;
    for (const member of this.members)
      if (newest === undefined || member.since > newest.since) newest = member;
    return newest;
  }

  /** To the end of those that weigh the same. */
  add(member: Member): void {
    member.since = ++this.added;
    this.members.push(member);
    this.rise(member, this.members.length - 1);
  }

  remove(member: Member): void {
    const last = this.members.pop();
    const { index } = member;
    member.index = -1;
    if (last === undefined || last === member) return;
    this.put(last, index);
    this.settle(last);
  }

  reweigh(member: Member, weight: number): void {
    if (member.weight === weight) return;
    member.weight = weight;
    this.settle(member);
  }

  private settle(member: Member): void {
    this.rise(member, member.index);
    this.sink(member, member.index);
  }

  private rise(member: Member, from: number): void {
    let index = from;
    while (index > 0) {
      const above = this.members[(index - 1) >> 1];
      if (above === undefined || !isBefore(member, above)) break;
      this.put(above, index);
      index = (index - 1) >> 1;
    }
    this.put(member, index);
  }

  private sink(member: Member, from: number): void {
    let index = from;
    for (;;) {
      let below = this.members[2 * index + 1];
      const right = this.members[2 * index + 2];
      if (below !== undefined && right !== undefined && isBefore(right, below)) below = right;
      if (below === undefined || !isBefore(below, member)) break;
      const next = below.index;
      this.put(below, index);
      index = next;
    }
    this.put(member, index);
  }

  private put(member: Member, index: number): void {
    this.members[index] = member;
    member.index = index;
  }
}

function isBefore(a: Prioritized, b: Prioritized): boolean {
  return a.weight < b.weight || (a.weight === b.weight && a.since < b.since);
}
