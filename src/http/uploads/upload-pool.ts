/** The rate of a moment ago counts half. */
const HALF_LIFE_MS = 1_000;

/** A body that is arriving. */
export interface PooledUpload {
  /** What it holds in memory. */
  readonly bytes: number;
  /** Bytes of late, as of `asOf`. */
  readonly recentBytes: number;
  /** Of the monotonic clock, in milliseconds. */
  readonly asOf: number;
  /** It must let go of what it holds, and leave the pool. */
  giveWay(): void;
}

/**
 * A bound on what arriving bodies hold together. Beyond it the body that has been coming slowest of late gives way,
 * the oldest of equals: whoever stalls or trickles is out first, so that it keeps nobody out.
 */
export class UploadPool {
  private readonly uploads = new Set<PooledUpload>();
  private held = 0;

  constructor(private readonly maxBytes: number) {}

  /** `grown` bytes more are held for `upload`, which may be new here. */
  hold(upload: PooledUpload, grown: number): void {
    this.uploads.add(upload);
    this.held += grown;
    while (this.held > this.maxBytes) {
      const slowest = this.slowest(upload.asOf);
      if (slowest === null) return;
      slowest.giveWay();
    }
  }

  release(upload: PooledUpload): void {
    if (this.uploads.delete(upload)) this.held -= upload.bytes;
  }

  private slowest(now: number): PooledUpload | null {
    let slowest: PooledUpload | null = null;
    let fewest = Infinity;
    for (const upload of this.uploads) {
      const bytes = decayed(upload.recentBytes, now - upload.asOf);
      if (bytes < fewest) [slowest, fewest] = [upload, bytes];
    }
    return slowest;
  }
}

/** What is left of a rate after a while. */
export function decayed(bytes: number, afterMs: number): number {
  return bytes * 2 ** (-afterMs / HALF_LIFE_MS);
}
