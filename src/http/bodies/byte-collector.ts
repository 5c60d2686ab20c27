const NOTHING = Buffer.alloc(0);
const LEAST_BYTES = 1_024;

/**
 * Collects the bytes of a body in one block that doubles as it grows: a list of pieces would cost a hundred times
 * their length if a client sends one byte at a time. A body in one piece is not copied.
 */
export class ByteCollector {
  private block: Buffer = NOTHING;
  private length = 0;
  /** The block is the sender's only piece, so nothing may be written into it. */
  private isBorrowed = false;

  /**
   * `announcedBytes` is the length that the sender gave, or null: it limits the growth of the block, which is never
   * enlarged to it in advance.
   */
  constructor(private readonly announcedBytes: number | null) {}

  /** How much memory is held. */
  get heldBytes(): number {
    return this.block.length;
  }

  add(piece: Buffer): void {
    if (this.length === 0) {
      this.block = piece;
      this.isBorrowed = true;
    } else {
      this.makeRoom(this.length + piece.length);
      piece.copy(this.block, this.length);
    }
    this.length += piece.length;
  }

  taken(): Buffer {
    return this.block.subarray(0, this.length);
  }

  private makeRoom(needed: number): void {
    if (needed <= this.block.length && !this.isBorrowed) return;
    const twofold = Math.max(this.block.length * 2, LEAST_BYTES);
    const block = Buffer.allocUnsafeSlow(Math.max(needed, Math.min(twofold, this.announcedBytes ?? twofold)));
    this.block.copy(block, 0, 0, this.length);
    this.block = block;
    this.isBorrowed = false;
  }
}
