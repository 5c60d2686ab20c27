import { createHash } from 'node:crypto';

/** A frame as it is sent, shared by all streams that send it. */
export class FrameText {
  /** How many streams still have to send some of it. */
  holders = 0;
  private digest: string | null = null;

  /** A short frame is a string; a long one is bytes, of which each stream sends slices without a copy of its own. */
  constructor(readonly content: string | Buffer) {}

  get size(): number {
    return this.content.length;
  }

  /** The hash of a long frame's bytes, by which equal frames are recognised. */
  get hash(): string {
    return (this.digest ??= createHash('sha256').update(this.content).digest('base64'));
  }
}
