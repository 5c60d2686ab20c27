/** How long a reason is only counted after it was logged. */
const QUIET_MS = 60_000;
/** More reasons than these are logged as others. */
const MAX_REASONS = 100;
const OTHERS = 'other reasons';
const MAX_REASON_CHARS = 300;

interface Said {
  since: number;
  untold: number;
}

/** Logs why requests were refused: each reason once a minute, however many requests there are, with how many there were meanwhile. */
export class RefusalLog {
  private readonly reasons = new Map<string, Said>();

  constructor(
    private readonly log: (line: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  note(reason: string): void {
    const now = this.now();
    const given = reason.slice(0, MAX_REASON_CHARS);
    if (this.reasons.size >= MAX_REASONS && !this.reasons.has(given)) this.forget(now);
    const key = this.reasons.has(given) || this.reasons.size < MAX_REASONS ? given : OTHERS;
    const said = this.reasons.get(key);
    if (said !== undefined && now - said.since < QUIET_MS) {
      said.untold += 1;
      return;
    }
    const more =
      said === undefined || said.untold === 0 ? '' : `, and ${said.untold} more since the last time`;
    this.log(`Refused with 401: ${key}${more}`);
    this.reasons.set(key, { since: now, untold: 0 });
  }

  /** Those that were last logged long ago. */
  private forget(now: number): void {
    for (const [reason, { since }] of this.reasons) if (now - since >= QUIET_MS) this.reasons.delete(reason);
  }
}
