import { decayed, UploadPool, type PooledUpload } from './upload-pool.js';

/** Most requests: they never give way to large ones. */
export const SMALL_BODY_BYTES = 64 * 1024;
const SMALL_POOL_BYTES = 16 * 1024 * 1024;

/**
 * All request bodies that are arriving. Those of up to 64 KiB have a bound of their own, so that no large upload,
 * however many there are, keeps a small request out.
 */
export class Uploads {
  private readonly small = new UploadPool(SMALL_POOL_BYTES);
  private readonly large: UploadPool;

  /** A single body of the allowed length must always find room. */
  constructor({ maxUploadBytes, maxBodyBytes }: { maxUploadBytes: number; maxBodyBytes: number }) {
    this.large = new UploadPool(Math.max(maxUploadBytes, maxBodyBytes));
  }

  /** `giveWay` is called at most once, when the body must let go; it is out of the pool by then. */
  open(giveWay: () => void): Upload {
    return new Upload(this.small, this.large, giveWay);
  }
}

/** One body that is arriving. It counts from its first byte until it is closed or gives way. */
export class Upload implements PooledUpload {
  bytes = 0;
  recentBytes = 0;
  asOf = performance.now();
  private pool: UploadPool;
  private isOpen = true;

  constructor(
    small: UploadPool,
    private readonly large: UploadPool,
    private readonly onGiveWay: () => void,
  ) {
    this.pool = small;
  }

  /** `received` bytes came, and `bytes` are held for all of them so far. May call `giveWay`, also of this one. */
  received(received: number, bytes: number): void {
    if (!this.isOpen) return;
    const now = performance.now();
    this.recentBytes = decayed(this.recentBytes, now - this.asOf) + received;
    this.asOf = now;
    if (bytes > SMALL_BODY_BYTES && this.pool !== this.large) {
      this.pool.release(this);
      this.pool = this.large;
      this.bytes = 0;
    }
    const grown = bytes - this.bytes;
    this.bytes = bytes;
    this.pool.hold(this, grown);
  }

  /** It is complete, or broken. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.pool.release(this);
  }

  giveWay(): void {
    this.close();
    this.onGiveWay();
  }
}
