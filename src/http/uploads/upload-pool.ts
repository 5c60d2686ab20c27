/** A body that is arriving. */
export interface PooledUpload {
  /** What it holds in memory. */
  readonly bytes: number;
  /** It must let go of what it holds, and leave the pool. */
  giveWay(): void;
}

/**
 * A bound on what arriving bodies hold together. Beyond it the one that has gone longest without progress gives way.
 * Nobody keeps a place by what was sent at first, nor by a trickle: who stays must be as fast as the others, and is
 * then done as soon as they are.
 */
export class UploadPool {
  /** In the order of their last progress. */
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
