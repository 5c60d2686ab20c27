/** So many shards are given up at once: the others continue meanwhile, and idle ones come first. */
const MOVING_AT_ONCE = 16;

/** What a replica knows when it decides which shards it should have. */
export interface ShardView {
  readonly shardCount: number;
  /** Those that share the shards which this one may take, this one included; at least 1. */
  readonly replicas: number;
  /** What this one owns, without what it is giving up. */
  readonly owned: readonly number[];
  /** How many it is giving up. */
  readonly leaving: number;
  /** What nobody holds and this build may take. */
  readonly free: readonly number[];
  /** It gives up everything. */
  readonly isLeaving: boolean;
  readonly isIdle: (shard: number) => boolean;
  /** Where it begins to take: replicas that begin at different shards want different ones. */
  readonly from: number;
}

export interface ShardPlan {
  readonly take: readonly number[];
  readonly giveUp: readonly number[];
}

/**
 * A replica has its share, rounded up, and no more. It takes from what is free, and gives up what is above: idle shards first, then
 * from the last on.
 */
export function planShards(view: ShardView): ShardPlan {
  const { shardCount, replicas, owned, leaving, free, isLeaving, isIdle, from } = view;
  const share = isLeaving ? 0 : Math.ceil(shardCount / Math.max(1, replicas));
  const above = owned.length - share;
  if (above > 0) {
    const most = Math.max(0, Math.min(above, MOVING_AT_ONCE - leaving));
    return { take: [], giveUp: idleFirst(owned, isIdle).slice(0, most) };
  }
  const first = from % shardCount;
  const distance = (shard: number): number => (shard - first + shardCount) % shardCount;
  return { take: [...free].sort((a, b) => distance(a) - distance(b)).slice(0, -above), giveUp: [] };
}

function idleFirst(shards: readonly number[], isIdle: ShardView['isIdle']): readonly number[] {
  const last = [...shards].sort((a, b) => b - a);
  const idle = new Set(last.filter(isIdle));
  return [...idle, ...last.filter((shard) => !idle.has(shard))];
}
