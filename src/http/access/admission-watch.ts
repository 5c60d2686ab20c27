import { HttpException } from '@nestjs/common';
import type { Authenticator } from '../../access/authenticator.js';
import { Slice } from '../../engine/scheduling/slice.js';
import type { AskedPolicy, Clock, Principal } from '../../engine/index.js';
import { ForbiddenError, ForeignNamespaceError, UnauthorizedError } from '../../errors/access-errors.js';
import { BusyError } from '../../errors/service-errors.js';
import type { Authenticated } from '../identity/authenticated.js';
import type { RequestEntry } from '../request-entry.js';
import { credentialsOf } from './credentials-of.js';
import { assertPermitted } from './permitted.js';
import { assertGranted } from './requested-namespace.js';

/**
 * Why what is open has to end. `unauthorized`: the request would be refused now. `again`: whether it would cannot be found out, or it
 * would be shown something else; whoever asks again is told.
 */
export type Dismissal = 'unauthorized' | 'again';

export interface AdmissionWatchParts {
  readonly authenticator: Authenticator;
  readonly policy: AskedPolicy;
  readonly clock: Clock;
}

/** What is open, and as whom. */
export interface Admitted {
  readonly known: Authenticated;
  /** Of which workflow alone it tells; null: of each that the principal is shown. */
  readonly workflowId: string | null;
  /** Called once, and not after it was let go. */
  dismiss(why: Dismissal): void;
}

interface Watched extends Admitted {
  readonly entry: RequestEntry;
  /** Of what it tells, as the policy said when it opened. */
  readonly shown: Promise<string>;
  /** When the last question began that was answered with yes, by the clock's `now`. */
  knownAt: number;
  isAsked: boolean;
}

/** Every so often each is asked again. */
const ASK_EVERY_MS = 2_000;
/** Two rounds without an answer: a timer may be early by a little. */
const UNKNOWN_MS = 2 * ASK_EVERY_MS - 100;
/** After a change all are asked soon, however many changes there are. */
const ASK_SOON_MS = 250;
const ASKED_AT_ONCE = 64;

/**
 * Ends what stays open once the request that opened it would be refused.
 *
 * 1. Each is asked again every two seconds, and soon after keys, revocations or the access file changed: as the guard asked, by the
 *    credentials that came with the request, which are answered from memory.
 * 2. What has no answer for two rounds ends, too. A yes may rest on what was seen of keys before: all end at the instant until which that
 *    is relied on, if it was not seen again, so that no stream outlives a revocation while the store cannot be reached.
 * 3. There are two timers, whatever is open, and none while nothing is; nothing is kept of what was let go.
 */
export class AdmissionWatch {
  private readonly open = new Set<Watched>();
  private cancelRound: () => void = () => undefined;
  private cancelReliance: () => void = () => undefined;
  private cancelSoon: (() => void) | null = null;
  private stopListening: () => void = () => undefined;

  constructor(private readonly parts: AdmissionWatchParts) {}

  /** How many are watched. */
  get count(): number {
    return this.open.size;
  }

  /** Returns what lets it go; calling that again does nothing. */
  watch(admitted: Admitted): () => void {
    const { entry, principal } = admitted.known;
    if (entry === undefined) return () => undefined;
    const shown = this.shownTo(principal, admitted, entry);
    // It is asked for with each round; until then nobody waits for it.
    shown.catch(() => undefined);
    const watched = { ...admitted, entry, shown, knownAt: this.parts.clock.now(), isAsked: false };
    this.open.add(watched);
    if (this.open.size === 1) this.begin();
    return () => this.letGo(watched);
  }

  private begin(): void {
    const { authenticator } = this.parts;
    this.stopListening = authenticator.observe?.(() => this.askSoon()) ?? (() => undefined);
    this.askLater();
    this.endUnlessReliedOn();
  }

  private letGo(watched: Watched): void {
    if (!this.open.delete(watched) || this.open.size > 0) return;
    this.stopListening();
    this.cancelRound();
    this.cancelReliance();
    this.cancelSoon?.();
    this.cancelSoon = null;
  }

  private askLater(): void {
    const { clock } = this.parts;
    const round = (): void => {
      this.askLater();
      this.dismissUnknown();
      void this.askAll();
    };
    this.cancelRound = clock.schedule(clock.now() + ASK_EVERY_MS, round, true);
  }

  /** Looks again when what is relied on now is over, however often it was seen anew until then. */
  private endUnlessReliedOn(): void {
    const { authenticator, clock } = this.parts;
    if (authenticator.reliedOnUntil === undefined) return;
    const end = (): void => {
      const isOver = (authenticator.reliedOnUntil?.() ?? Infinity) <= clock.now();
      for (const watched of isOver ? this.open : []) this.dismiss(watched, 'again');
      if (this.open.size > 0) this.endUnlessReliedOn();
    };
    this.cancelReliance = clock.schedule(authenticator.reliedOnUntil(), end, true);
  }

  private askSoon(): void {
    const { clock } = this.parts;
    const round = (): void => {
      this.cancelSoon = null;
      void this.askAll();
    };
    this.cancelSoon ??= clock.schedule(clock.now() + ASK_SOON_MS, round, true);
  }

  private dismissUnknown(): void {
    const now = this.parts.clock.now();
    for (const watched of this.open) if (now - watched.knownAt >= UNKNOWN_MS) this.dismiss(watched, 'again');
  }

  /** A few at once: the first of those who come with one key has it looked up, and the others find it in memory. */
  private async askAll(): Promise<void> {
    const asked = [...this.open].filter(({ isAsked }) => !isAsked)[Symbol.iterator]();
    const slice = new Slice();
    const work = async (): Promise<void> => {
      for (const watched of asked) {
        await this.ask(watched);
        if (slice.isOver) await slice.next();
      }
    };
    await Promise.all(Array.from({ length: ASKED_AT_ONCE }, work));
  }

  private async ask(watched: Watched): Promise<void> {
    if (!this.open.has(watched)) return;
    watched.isAsked = true;
    const begunAt = this.parts.clock.now();
    try {
      if (await this.isShownOtherwise(watched)) this.dismiss(watched, 'again');
      else watched.knownAt = begunAt;
    } catch (error) {
      // Others who ask may have taken all turns: the next round finds out, or is the last.
      if (!(error instanceof BusyError)) this.dismiss(watched, isRefusal(error) ? 'unauthorized' : 'again');
    } finally {
      watched.isAsked = false;
    }
  }

  /** Whom what was let in is of now: the same account, in a namespace that is granted. Rejects as the guard does where it is not. */
  async askedAgain(known: Authenticated, entry: RequestEntry): Promise<Principal> {
    const { authenticator, clock } = this.parts;
    const principal = await authenticator.authenticate(credentialsOf(entry.request));
    if (principal.owner !== known.principal.owner) throw new UnauthorizedError('it is somebody else now');
    if (principal.expiresAt !== null && principal.expiresAt <= clock.wallTime())
      throw new UnauthorizedError('the principal has expired');
    if (entry.namespace !== null) assertGranted(principal, entry.namespace);
    return principal;
  }

  /** Rejects as the guard does where the request would be refused. */
  private async isShownOtherwise(watched: Watched): Promise<boolean> {
    const { known, entry, shown } = watched;
    const principal = await this.askedAgain(known, entry);
    return (await this.shownTo(principal, watched, entry)) !== (await shown);
  }

  /** Of what it tells, as a text to compare. Rejects with a `ForbiddenError` where that is nothing. */
  private async shownTo(
    principal: Principal,
    { workflowId, known }: Admitted,
    { permissions, namespace }: RequestEntry,
  ): Promise<string> {
    const { policy } = this.parts;
    const ofOne = workflowId === null ? {} : { workflowId };
    await assertPermitted(policy, { principal, namespace, permissions, ...ofOne });
    if (workflowId !== null) return '';
    const scopes: unknown[] = [];
    for (const action of permissions) {
      const scope = await policy.scope({ principal, action, namespace: namespace ?? known.namespace });
      scopes.push(scope === 'all' ? scope : [...scope].sort());
    }
    return JSON.stringify(scopes);
  }

  private dismiss(watched: Watched, why: Dismissal): void {
    if (!this.open.has(watched)) return;
    this.letGo(watched);
    watched.dismiss(why);
  }
}

/** Also by a host that names principals itself, in its own words. */
function isRefusal(error: unknown): boolean {
  if (error instanceof HttpException) return [401, 403].includes(error.getStatus());
  const refusals = [UnauthorizedError, ForbiddenError, ForeignNamespaceError];
  return refusals.some((ErrorClass) => error instanceof ErrorClass);
}
