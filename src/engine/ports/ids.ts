/** The only source of identity in the engine. */
export interface Ids {
  /** A UUIDv7 in lower case: sorts by creation time. Its last byte puts the run into that lane; null: into any. */
  runId(request: { readonly lane: number; readonly laneCount: number } | null): string;
}
