/** The names of the channels of one schema; they need no quotes, and no value of a caller is in them. */
export class Channels {
  private readonly space: string;

  constructor(lockSpace: number) {
    this.space = `flowgate_${lockSpace >>> 0}`;
  }

  /** Every replica listens to it. */
  get all(): string {
    return this.space;
  }

  /** The owner of the shard listens to it. */
  ofShard(shard: number): string {
    return `${this.space}_s${shard}`;
  }

  /** That replica listens to it. */
  ofReplica(replica: string): string {
    return `${this.space}_r${replica}`;
  }
}
