import { Inject, Injectable } from '@nestjs/common';
import type { EdgeOptions, HostRequest } from '../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import type { Arrival } from './arrival.js';
import { callerOf } from './caller.js';
import type { EdgeRequest } from './edge-request.js';
import { sendBack } from './host-errors.js';

/** It stands in every event of what the person does. */
const MAX_LENGTH = 256;
const CONTROL_CHARACTER = /\p{Cc}/u;

/** Asks the host who acts. */
@Injectable()
export class ActingPerson {
  private readonly ask: EdgeOptions['actor'];

  constructor(@Inject(FLOWGATE_OPTIONS) { actor }: EdgeOptions) {
    this.ask = actor;
  }

  /** As `Arrival.person`; at once where the host has nothing to say. Rejects with what the host throws. */
  of(request: EdgeRequest): Promise<string | null> | undefined {
    return this.ask === undefined ? undefined : this.answerTo(request);
  }

  /** How a request came in by HTTP. */
  arrivalOf(request: EdgeRequest): Promise<Arrival> | Arrival {
    const arrival = (person: Arrival['person']): Arrival => ({
      via: 'http',
      idempotencyKey: request.headers['idempotency-key'],
      caller: callerOf(request, person),
      ...(person === undefined ? {} : { person }),
    });
    return this.of(request)?.then(arrival) ?? arrival(undefined);
  }

  /** Whose share of what is scarce a request takes that nobody acts with: where the host throws, it knows nobody. */
  async callerOf(request: EdgeRequest): Promise<string> {
    const person = await this.named(request).catch(() => null);
    return callerOf(request, person);
  }

  private async answerTo(request: HostRequest): Promise<string | null> {
    try {
      return await this.named(request);
    } catch (error) {
      sendBack(request);
      throw error;
    }
  }

  private async named(request: HostRequest): Promise<string | null> {
    return checked(await this.ask?.(request));
  }
}

function checked(person: unknown): string | null {
  if (person === undefined || person === null) return null;
  if (typeof person === 'string' && person !== '' && person.length <= MAX_LENGTH) {
    if (!CONTROL_CHARACTER.test(person)) return person;
  }
  throw new TypeError(
    `The option "actor" of FlowgateModule must give undefined or 1 to ${MAX_LENGTH} characters without control characters`,
  );
}
