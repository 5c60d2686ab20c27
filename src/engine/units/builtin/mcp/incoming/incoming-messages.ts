import { LARGE_CHARS } from '../../../http/interpret-response.js';
import { Slice } from '../../../../scheduling/slice.js';
import { responseYielder } from '../../../http/yielders.js';
import { EventFrames, type EventFrame } from './event-frames.js';
import { exceededRestLimit, exceededTextLimit } from './exceeded-message-limit.js';
import { takenOut } from './said-by-tool.js';

/** Responses, events and messages of one attempt, all together. */
const MAX_MESSAGES = 10_000;
/** Each is answered by a request of ours. */
const MAX_QUESTIONS = 1_000;

type Fields = Readonly<Record<string, unknown>>;

/** Why a response is not read any further. */
export class UnreadableResponseError extends Error {}

/**
 * Checks and reduces what a server sends in one attempt, before the MCP client sees any of it.
 *
 * 1. A text is measured before it is parsed: its values, keys and levels. Bytes are counted elsewhere (`ReceivedBytes`),
 *    messages here.
 * 2. Reading yields to the event loop: no server occupies it, however much it sends at once.
 * 3. The client gets only what it can use, and nothing long: requests, and the awaited response without the tool's content,
 *    which is kept here. Notifications are dropped.
 *
 * Throws an `UnreadableResponseError` where any limit is exceeded.
 */
export class IncomingMessages {
  #messages = 0;
  #questions = 0;
  #awaited: string | null = null;
  #said: Fields = {};
  #slice = new Slice(responseYielder);

  /** The tool's content in the response that was awaited last. */
  get said(): Fields {
    return this.#said;
  }

  /** The client has sent a request: the first response with this id from now on is the awaited one. */
  awaitResponse(id: string | number): void {
    this.#awaited = String(id);
    this.#said = {};
  }

  /** Returns the JSON to pass on in place of a body's; a text that is no JSON is returned as it is. */
  async ofBody(text: string): Promise<string> {
    this.#count();
    this.#slice = new Slice(responseYielder);
    const parsed = await this.#parsed(text);
    if (parsed === undefined) return text;
    if (!Array.isArray(parsed.value)) {
      const message = await this.#handedOn(parsed.value);
      // The client itself reports what is no message.
      return JSON.stringify(message ?? (isMessage(parsed.value) ? [] : this.#small(parsed.value)));
    }
    const messages: unknown[] = [];
    for (const one of parsed.value as readonly unknown[]) {
      this.#count();
      const message = await this.#handedOn(one);
      if (message !== null) messages.push(message);
      await this.#yieldAtSliceEnd();
    }
    return JSON.stringify(messages);
  }

  /** Returns the text to pass on for a refused request, which the client may read as well. */
  async ofRefusal(text: string): Promise<string> {
    this.#count();
    const parsed = await this.#parsed(text);
    if (parsed !== undefined) this.#small(parsed.value);
    return text;
  }

  /** Yields the events to pass on in place of a stream's. */
  async *ofStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const frames = new EventFrames();
    const decoder = new TextDecoder();
    const encoder = new TextEncoder();
    this.#count();
    this.#slice = new Slice(responseYielder);
    for await (const chunk of body) {
      for (const frame of frames.feed(decoder.decode(chunk, { stream: true }))) {
        const text = frame === null ? '' : await this.#ofFrame(frame);
        if (text !== '') yield encoder.encode(text);
        await this.#yieldAtSliceEnd();
      }
    }
  }

  async #ofFrame({ id, event, data, retryMs }: EventFrame): Promise<string> {
    this.#count();
    const message = data === null || !isOfMessages(event) ? null : await this.#ofData(data);
    const lines = [
      ...(id === null ? [] : [`id: ${id}`]),
      ...(retryMs === null ? [] : [`retry: ${retryMs}`]),
      ...(message === null && id === null
        ? []
        : [`data: ${message === null ? '' : JSON.stringify(message)}`]),
    ];
    return lines.length === 0 ? '' : `${lines.join('\n')}\n\n`;
  }

  async #ofData(data: string): Promise<Fields | null> {
    const parsed = await this.#parsed(data);
    return parsed === undefined ? null : this.#handedOn(parsed.value);
  }

  /** Undefined: it is no JSON. */
  async #parsed(text: string): Promise<{ readonly value: unknown } | undefined> {
    if (text.length >= LARGE_CHARS) await responseYielder.next();
    const exceeded = exceededTextLimit(text);
    if (exceeded !== null) throw new UnreadableResponseError(`answer ${exceeded}`);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return undefined;
    }
    if (text.length >= LARGE_CHARS) await responseYielder.next();
    return { value };
  }

  /** Null: nothing of it is for the client. */
  async #handedOn(message: unknown): Promise<Fields | null> {
    if (!isMessage(message)) return null;
    if ('method' in message) return 'id' in message ? this.#question(message) : null;
    const { id, result } = message;
    // The server could not tell which request this answers: the client handles that.
    if (id === null) return this.#small(message);
    if (this.#awaited === null || String(id) !== this.#awaited) return null;
    this.#awaited = null;
    if (!isFields(result)) return this.#small(message);
    const taken = await takenOut(result);
    if ('problem' in taken) throw new UnreadableResponseError(taken.problem);
    this.#said = taken.said;
    return this.#small({ ...message, result: taken.rest });
  }

  #question(message: Fields): Fields {
    this.#questions += 1;
    if (this.#questions > MAX_QUESTIONS)
      throw new UnreadableResponseError(
        `answer holds more than ${MAX_QUESTIONS} requests: nobody answers them during a run`,
      );
    return this.#small(message);
  }

  #small<Message>(message: Message): Message {
    const exceeded = exceededRestLimit(message);
    if (exceeded !== null) throw new UnreadableResponseError(`answer ${exceeded}`);
    return message;
  }

  #count(): void {
    this.#messages += 1;
    if (this.#messages > MAX_MESSAGES)
      throw new UnreadableResponseError(
        `answer holds more than ${MAX_MESSAGES} messages: have the tool send fewer`,
      );
  }

  /** The time that the client spends on what it was given counts, too. */
  async #yieldAtSliceEnd(): Promise<void> {
    if (this.#slice.isOver) await this.#slice.next();
  }
}

/** MCP has no events of other kinds. */
function isOfMessages(event: string | null): boolean {
  return event === null || event === 'message';
}

function isMessage(value: unknown): value is Fields {
  return (
    isFields(value) &&
    (typeof value['method'] === 'string' || ('id' in value && ('result' in value || 'error' in value)))
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
