/** A waiting member: the lightest comes first, and of those with the same weight the one that waits longest. */
export interface Weighed {
  weight: number;
  /** The number of its addition, set by the queue. */
  since: number;
  /** Its index in the queue, set by the queue; -1: it is in none. */
  index: number;
}

/** A heap whose members know their index, so that one can change its weight, or leave, in log n steps. */
export class LightestFirst<Member extends Weighed> {
  private readonly members: Member[] = [];
  private added = 0;

  get first(): Member | undefined {
    return this.members[0];
  }

  /** Adds it after those of the same weight. */
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

function isBefore(a: Weighed, b: Weighed): boolean {
  return a.weight < b.weight || (a.weight === b.weight && a.since < b.since);
}
