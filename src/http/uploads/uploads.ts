import { SharedTurns } from '../shared-turns.js';
import { UploadPool, type PooledUpload } from './upload-pool.js';

/** Most requests: they never give way to large ones. */
export const SMALL_BODY_BYTES = 64 * 1024;
const SMALL_POOL_BYTES = 16 * 1024 * 1024;
/** Less is no progress: a trickle is as good as nothing. */
const STEP_BYTES = 64 * 1024;
/** How many long bodies are read from between two looks at everybody else. */
const READ_AT_ONCE = 4;

/**
 * All request bodies that are arriving. Those of up to 64 KiB have a bound of their own, so that no large upload,
 * however many there are, keeps a small request out.
 */
export class Uploads {
  /** Whose next piece is read: sockets that have megabytes lying ready would else be read one after the other. */
  readonly turns = new SharedTurns(READ_AT_ONCE);
  private readonly small = new UploadPool(SMALL_POOL_BYTES);
  private readonly large: UploadPool;

  /** A single body of the allowed length always finds room. */
  constructor(limits: { readonly maxUploadBytes: number; readonly maxBodyBytes: number }) {
    this.large = new UploadPool(Math.max(limits.maxUploadBytes, limits.maxBodyBytes));
  }

  /** `onGiveWay` is called at most once, when the body must let go; it is out of the pool by then. */
  open(onGiveWay: () => void): Upload {
    return new Upload(this.small, this.large, onGiveWay);
  }
}

/** One body that is arriving. It counts from its first byte until it is closed or gives way. */
export class Upload implements PooledUpload {
  bytes = 0;
  private receivedBytes = 0;
  private isOpen = true;

  constructor(
    private pool: UploadPool,
    private readonly large: UploadPool,
    private readonly onGiveWay: () => void,
  ) {}

  /** `count` bytes came, and `heldBytes` are held for all of them so far. Anyone may have to give way, also this one. */
  received(count: number, heldBytes: number): void {
    if (!this.isOpen) return;
    const steps = Math.floor(this.receivedBytes / STEP_BYTES);
    this.receivedBytes += count;
    if (heldBytes > SMALL_BODY_BYTES && this.pool !== this.large) {
      this.pool.release(this);
      this.pool = this.large;
      this.bytes = 0;
    }
    const grown = heldBytes - this.bytes;
    this.bytes = heldBytes;
    this.pool.hold(this, grown, Math.floor(this.receivedBytes / STEP_BYTES) > steps);
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
