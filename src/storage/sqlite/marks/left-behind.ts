import { isInShards } from '../../../engine/ports/store/in-shards.js';
import type { ShardSet } from '../../../engine/ports/store/run-index.js';

/** What the processes before this one left behind, as it was read when the store opened: each mark is handed over once. */
export class LeftBehind<Mark extends { readonly runId: string }> {
  constructor(private marks: readonly Mark[]) {}

  /** Removes and returns those of runs in these shards; null: all that are left. */
  take(shards: ShardSet | null): readonly Mark[] {
    const { marks } = this;
    this.marks = marks.filter(({ runId }) => !isInShards(shards, runId));
    return marks.filter(({ runId }) => isInShards(shards, runId));
  }
}
