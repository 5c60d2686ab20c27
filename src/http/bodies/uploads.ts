import { Yielder } from '../../engine/scheduling/yielder.js';
import { UploadPool, type PooledUpload } from './upload-pool.js';

/** Most requests are no larger, and never give way to large ones. */
export const SMALL_BODY_BYTES = 64 * 1024;
const SMALL_POOL_BYTES = 16 * 1024 * 1024;
/** Less does not count as progress, so that a trickle does not. */
const STEP_BYTES = 64 * 1024;
/** How many long bodies are read from per round of the event loop. */
const READ_AT_ONCE = 4;

/**
 * All request bodies that are arriving. Those of up to 64 KiB have a bound of their own, so that large uploads,
 * however many there are, never keep a small request out.
 */
export class Uploads {
  /** Decides which body is read next; otherwise sockets with megabytes ready would be read one after the other. */
  readonly yielder = new Yielder({ rounds: 1, atOnce: READ_AT_ONCE });
  private readonly small = new UploadPool(SMALL_POOL_BYTES);
  private readonly large: UploadPool;

  /** A single body of the allowed length always has capacity. */
  constructor(limits: { readonly maxUploadBytes: number; readonly maxBodyBytes: number }) {
    this.large = new UploadPool(Math.max(limits.maxUploadBytes, limits.maxBodyBytes));
  }

  /**
   * `onGiveWay` is called at most once, when the body must release its bytes; it has left the pool by then. `caller`: whose body it is.
   */
  open(onGiveWay: () => void, caller = ''): Upload {
    return new Upload(this.small, { large: this.large, caller, onGiveWay });
  }
}

/** One body that is arriving. It counts from its first byte until it is closed or gives way. */
export class Upload implements PooledUpload {
  bytes = 0;
  private receivedBytes = 0;
  private isOpen = true;

  constructor(
    private pool: UploadPool,
    private readonly of: {
      readonly large: UploadPool;
      readonly caller: string;
      readonly onGiveWay: () => void;
    },
  ) {}

  get caller(): string {
    return this.of.caller;
  }

  /**
   * `count` bytes came, and `heldBytes` are held for the whole body so far. Any upload may have to give way,
   * including this one.
   */
  received(count: number, heldBytes: number): void {
    if (!this.isOpen) return;
    const steps = Math.floor(this.receivedBytes / STEP_BYTES);
    this.receivedBytes += count;
    const { large } = this.of;
    if (heldBytes > SMALL_BODY_BYTES && this.pool !== large) {
      this.pool.release(this);
      this.pool = large;
      this.bytes = 0;
    }
    const grown = heldBytes - this.bytes;
    this.bytes = heldBytes;
    this.pool.hold(this, grown, Math.floor(this.receivedBytes / STEP_BYTES) > steps);
  }

  /** Called when the body is complete, or broken. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.pool.release(this);
  }

  giveWay(): void {
    this.close();
    this.of.onGiveWay();
  }
}
