import type { AccessPeers, Clock, EngineLogger } from '../../engine/index.js';

/** How often others are told which file holds here. */
const TELL_EVERY_MS = 10_000;
/** Who has told nothing for so long has ended, or cannot be heard: nothing is known of its file. */
const KEPT_MS = 35_000;
/** A file that is replaced everywhere is read by each replica within five seconds, and told at once. */
const PATIENT_MS = 15_000;
const MOST_PEERS = 1_000;

export interface PeerFilesParts {
  /** Null: nobody shares the store. */
  readonly peers: AccessPeers | null;
  /** The SHA-256 of the file that holds here, in hex; `none`: there is none. */
  readonly held: () => string;
  readonly clock: Clock;
  readonly logger: EngineLogger;
}

interface ToldFile {
  readonly hash: string;
  readonly at: number;
}

/**
 * Whether replicas hold access files of different content: then what somebody may do depends on which of them answers. Only the hashes
 * are told. What is lost on the way is told again, and what a replica told is forgotten once it is silent.
 */
export class PeerFiles {
  private readonly told = new Map<string, ToldFile>();
  /** Since when there has been a difference; null: there is none. */
  private differsSince: number | null = null;
  private isSaid = false;
  private cancel: () => void = () => undefined;
  private stopHearing: () => void = () => undefined;

  constructor(private readonly parts: PeerFilesParts) {}

  open(): void {
    const { peers, clock } = this.parts;
    if (peers === null) return;
    this.stopHearing = peers.hear((peer, hash) => {
      this.told.delete(peer);
      this.told.set(peer, { hash, at: clock.now() });
      const [first] = this.told.keys();
      if (this.told.size > MOST_PEERS && first !== undefined) this.told.delete(first);
    });
    this.tellAndLook();
  }

  close(): void {
    this.cancel();
    this.stopHearing();
    this.told.clear();
  }

  /** The file that holds here is another one. */
  changed(): void {
    this.parts.peers?.tell(this.parts.held());
  }

  /** Whether a replica has held another file for longer than it takes to replace it everywhere. */
  get differ(): boolean {
    const { clock } = this.parts;
    const now = clock.now();
    const held = this.parts.held();
    let isOther = false;
    for (const [peer, { hash, at }] of this.told) {
      if (now - at >= KEPT_MS) this.told.delete(peer);
      else isOther ||= hash !== held;
    }
    this.differsSince = isOther ? (this.differsSince ?? now) : null;
    return this.differsSince !== null && now - this.differsSince >= PATIENT_MS;
  }

  private tellAndLook(): void {
    const { clock, logger } = this.parts;
    this.changed();
    const isDifferent = this.differ;
    if (isDifferent && !this.isSaid)
      logger.warn(
        'Replicas hold different access files: what somebody may do depends on which of them answers; give all of them the same file',
      );
    else if (!isDifferent && this.isSaid) logger.info('All replicas hold the same access file again');
    this.isSaid = isDifferent;
    this.cancel = clock.schedule(clock.now() + TELL_EVERY_MS, () => this.tellAndLook(), true);
  }
}
