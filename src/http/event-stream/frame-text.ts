import { createHash } from 'node:crypto';

/** A frame as it goes over the wire: one for all streams that tell it, however many they are. */
export class FrameText {
  /** How many streams still have to send some of it. */
  holders = 0;
  private digest: string | null = null;

  /** A short one is a text; a long one is bytes, of which each stream sends parts without a copy of its own. */
  constructor(readonly content: string | Buffer) {}

  get size(): number {
    return this.content.length;
  }

  /** Of the bytes of a long one: the same for all that say the same. */
  get hash(): string {
    return (this.digest ??= createHash('sha256').update(this.content).digest('base64'));
  }
}
