/** The only source of identity in the engine. */
export interface Ids {
  /** A UUIDv7: sorts by creation time. */
  runId(): string;
}
