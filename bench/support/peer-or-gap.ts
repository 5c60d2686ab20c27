import type { Effort } from './part.ts';
import type { Gap } from './results.ts';

/** What a peer answers with when it is started; or, where it cannot be had on this machine, nothing and a gap to report. */
export async function peerOrGap<Peer>(
  name: string,
  effort: Effort,
  gaps: Gap[],
  start: () => Promise<Peer>,
): Promise<Peer | null> {
  if (!effort.peers) {
    gaps.push({ name, reason: 'left out (--no-peers)' });
    return null;
  }
  try {
    return await start();
  } catch (error) {
    gaps.push({ name, reason: error instanceof Error ? error.message : String(error) });
    return null;
  }
}
