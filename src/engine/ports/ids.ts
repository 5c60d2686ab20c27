/** The only source of identity in the engine. */
export interface Ids {
  /** A UUIDv7 in lower case: sorts by creation time. Its last byte puts the run into that shard; null: into any. */
  runId(request: { readonly shard: number; readonly shardCount: number } | null): string;
}
