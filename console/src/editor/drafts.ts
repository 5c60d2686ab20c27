/** A text that somebody writes, as this browser keeps it. */
export interface Draft {
  readonly text: string;
  /** The version that it began from; null: from none. */
  readonly base: string | null;
  /** Epoch ms. */
  readonly savedAt: number;
}

/** Of which workflow a draft is; the empty text: of a new one. */
export interface DraftOf {
  readonly namespace: string | null;
  readonly workflowId: string;
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const PREFIX = 'flowgate.draft.';
/** The oldest go when there are more. */
const MOST_DRAFTS = 20;

/**
 * Drafts over reloads of the page. Where the browser keeps nothing, or has no room, they live as long as the page, and so do those for
 * which the browser keeps a draft of another tab that this one has not seen: no tab replaces, or drops, what it does not know.
 */
export class Drafts {
  readonly #instead = new Map<string, Draft>();
  /** When the draft was saved that this tab has read or kept last. */
  readonly #seen = new Map<string, number>();

  /** `storage` throws where there is none. */
  constructor(private readonly storage: () => Store = () => localStorage) {}

  read(of: DraftOf): Draft | null {
    const key = keyOf(of);
    const instead = this.#instead.get(key);
    if (instead !== undefined) return instead;
    const stored = this.#stored(key);
    if (stored !== null) this.see(of, stored);
    return stored;
  }

  /** What another tab has kept since this one looked; null: nothing. */
  foreign(of: DraftOf): Draft | null {
    const key = keyOf(of);
    const stored = this.#stored(key);
    return stored === null || stored.savedAt === this.#seen.get(key) ? null : stored;
  }

  /** From now on this tab may replace that draft. */
  see(of: DraftOf, draft: Draft): void {
    this.#seen.set(keyOf(of), draft.savedAt);
  }

  /** False: it is gone with the page. */
  keep(of: DraftOf, draft: Draft): boolean {
    const key = keyOf(of);
    this.#instead.set(key, draft);
    if (this.foreign(of) !== null) return false;
    try {
      const storage = this.storage();
      storage.setItem(key, JSON.stringify(draft));
      this.see(of, draft);
      this.#instead.delete(key);
      dropOldest(storage);
      return true;
    } catch {
      return false;
    }
  }

  drop(of: DraftOf): void {
    const key = keyOf(of);
    this.#instead.delete(key);
    if (this.foreign(of) !== null) return;
    try {
      this.storage().removeItem(key);
    } catch {
      // There is none.
    }
  }

  #stored(key: string): Draft | null {
    try {
      return draftIn(this.storage().getItem(key));
    } catch {
      return null;
    }
  }
}

function keyOf({ namespace, workflowId }: DraftOf): string {
  return `${PREFIX}${encodeURIComponent(namespace ?? '')}/${encodeURIComponent(workflowId)}`;
}

function draftIn(kept: string | null): Draft | null {
  if (kept === null) return null;
  const draft: unknown = JSON.parse(kept);
  if (typeof draft !== 'object' || draft === null) return null;
  const { text, base = null, savedAt } = draft as Partial<Draft>;
  return typeof text === 'string' && typeof savedAt === 'number' ? { text, base, savedAt } : null;
}

function dropOldest(storage: Store): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index)).filter(
    (key): key is string => key?.startsWith(PREFIX) === true,
  );
  if (keys.length <= MOST_DRAFTS) return;
  const ages = keys.map((key) => ({ key, savedAt: savedAtOf(storage.getItem(key)) }));
  ages.sort((a, b) => b.savedAt - a.savedAt);
  for (const { key } of ages.slice(MOST_DRAFTS)) storage.removeItem(key);
}

/** What cannot be read is the oldest. */
function savedAtOf(kept: string | null): number {
  try {
    return draftIn(kept)?.savedAt ?? 0;
  } catch {
    return 0;
  }
}
