import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { cursorOfId, idOfCursor } from '../../runtime/streams/event-cursor.js';

/** One block of it is one id: the same event has the same id, and neighbours have nothing in common. */
const ALGORITHM = 'aes-256-ecb';
const KEY_BYTES = 32;
const BLOCK_BYTES = 16;
/** Of the position, and of the seq; what is left of the block is zero. */
const NUMBER_BYTES = 7;
/** A number of that many bytes is read in two parts. */
const HIGH_BYTES = 3;
const LOW = 2 ** 32;

/** Where the key comes from that the processes of a service share; both absent: it is random, for this process alone. */
export interface EventKeySource {
  readonly encryptionKey?: Uint8Array | null;
  readonly database?: { sharedKey(): Promise<Uint8Array> } | undefined;
}

/**
 * Ids of events in streams of all runs, as a principal is shown them. The engine's own ids count the appends of all
 * namespaces, and so tell how much goes on in others; these tell nothing, and hold in one namespace alone.
 */
export class EventIds {
  private root: Promise<Uint8Array> | null = null;

  constructor(private readonly source: EventKeySource) {}

  /** Rejects with a `StoreError` where the shared key cannot be read. */
  async in(namespace: string): Promise<ShownEventIds> {
    this.root ??= rootKey(this.source).catch((error: unknown) => {
      this.root = null;
      throw error;
    });
    const purpose = `flowgate/event-ids/${namespace}`;
    return new ShownEventIds(new Uint8Array(hkdfSync('sha256', await this.root, '', purpose, KEY_BYTES)));
  }
}

/** The ids of one namespace. */
export class ShownEventIds {
  constructor(private readonly key: Uint8Array) {}

  shown(id: string): string {
    const cursor = cursorOfId(id);
    if (cursor === null) throw new Error(`${id} is no id of an event`);
    const block = Buffer.alloc(BLOCK_BYTES);
    write(block, 0, cursor.position);
    write(block, NUMBER_BYTES, cursor.seq);
    const cipher = createCipheriv(ALGORITHM, this.key, null).setAutoPadding(false);
    return Buffer.concat([cipher.update(block), cipher.final()]).toString('base64url');
  }

  /** The engine's id; null: it is none that was shown. */
  meant(shown: string): string | null {
    const sealed = Buffer.from(shown.slice(0, 2 * BLOCK_BYTES), 'base64url');
    if (sealed.length !== BLOCK_BYTES || sealed.toString('base64url') !== shown) return null;
    const decipher = createDecipheriv(ALGORITHM, this.key, null).setAutoPadding(false);
    const block = Buffer.concat([decipher.update(sealed), decipher.final()]);
    if (block.readUInt16BE(2 * NUMBER_BYTES) !== 0) return null;
    const cursor = { position: read(block, 0), seq: read(block, NUMBER_BYTES) };
    const isCursor = Number.isSafeInteger(cursor.position) && Number.isSafeInteger(cursor.seq);
    return isCursor ? idOfCursor(cursor) : null;
  }
}

async function rootKey({ encryptionKey, database }: EventKeySource): Promise<Uint8Array> {
  return encryptionKey ?? (await database?.sharedKey()) ?? randomBytes(KEY_BYTES);
}

function write(block: Buffer, at: number, value: number): void {
  block.writeUIntBE(Math.floor(value / LOW), at, HIGH_BYTES);
  block.writeUInt32BE(value % LOW, at + HIGH_BYTES);
}

function read(block: Buffer, at: number): number {
  return block.readUIntBE(at, HIGH_BYTES) * LOW + block.readUInt32BE(at + HIGH_BYTES);
}
