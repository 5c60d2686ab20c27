/** A body that is arriving. */
export interface PooledUpload {
  /** How much memory it holds. */
  readonly bytes: number;
  /** Called when it must release what it holds, and leave the pool. */
  giveWay(): void;
}

/**
 * Limits how much arriving bodies hold together. Beyond the limit the one that has gone longest without progress
 * gives way. Neither early bytes nor a trickle secure a slot: an upload that stays must be as fast as the others, and
 * is then done as soon as they are.
 */
export class UploadPool {
  /** The uploads in the order of their last progress. */
  private readonly uploads = new Set<PooledUpload>();
  private held = 0;

  constructor(private readonly maxBytes: number) {}

  /** `upload`, which may be new here, holds `grown` bytes more. */
  hold(upload: PooledUpload, grown: number, hasProgressed: boolean): void {
    if (hasProgressed) this.uploads.delete(upload);
    this.uploads.add(upload);
    this.held += grown;
    for (const slowest of this.uploads) {
      if (this.held <= this.maxBytes) return;
      slowest.giveWay();
    }
  }

  release(upload: PooledUpload): void {
    if (this.uploads.delete(upload)) this.held -= upload.bytes;
  }
}
