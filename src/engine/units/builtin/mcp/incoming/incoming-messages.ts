import { LARGE_CHARS } from '../../../http/interpret-response.js';
import { yieldToOthers } from '../../../http/yield-to-others.js';
import { EventFrames, type EventFrame } from './event-frames.js';
import { excessOfRest, excessOfText } from './message-excess.js';
import { takenOut } from './said-by-tool.js';

/** Responses, events and messages of one attempt, all together. */
const MAX_MESSAGES = 10_000;
/** Each is answered by a request of ours. */
const MAX_QUESTIONS = 1_000;
/** How long is read before others have their turn. */
const SLICE_MS = 4;

type Fields = Readonly<Record<string, unknown>>;

/** Why an answer is not read any further. */
export class UnreadableAnswerError extends Error {}

/**
 * What a server sends in one attempt, before the client of MCP sees any of it.
 *
 * 1. A text is weighed before it is parsed: its values, keys and levels. How many bytes there are is counted elsewhere
 *    (`ReceivedBytes`), how many messages here.
 * 2. It is read in turns: no server keeps the event loop, however much it sends at once.
 * 3. The client is handed on what it can make something of, and nothing long: questions, and the response that is awaited,
 *    without what the tool says, which is kept here. Notifications are heard by nobody.
 *
 * Throws an `UnreadableAnswerError` where there is too much of anything.
 */
export class IncomingMessages {
  #messages = 0;
  #questions = 0;
  #awaited: string | null = null;
  #said: Fields = {};
  #turnEnds = 0;

  /** What the tool said in the response that was awaited last. */
  get said(): Fields {
    return this.#said;
  }

  /** The client has asked something: of what comes now the response of that id counts, once. */
  awaitResponse(id: string | number): void {
    this.#awaited = String(id);
    this.#said = {};
  }

  /** The JSON to hand on in the place of that of a body; a text that is none as it is. */
  async ofBody(text: string): Promise<string> {
    this.#count();
    this.#turnEnds = performance.now() + SLICE_MS;
    const parsed = await this.#parsed(text);
    if (parsed === undefined) return text;
    if (!Array.isArray(parsed.value)) {
      const message = await this.#handedOn(parsed.value);
      // What is no message is told by the client.
      return JSON.stringify(message ?? (isMessage(parsed.value) ? [] : this.#small(parsed.value)));
    }
    const messages: unknown[] = [];
    for (const one of parsed.value as readonly unknown[]) {
      this.#count();
      const message = await this.#handedOn(one);
      if (message !== null) messages.push(message);
      await this.#pace();
    }
    return JSON.stringify(messages);
  }

  /** The text to hand on in the place of that of a refusal, which the client may look into as well. */
  async ofRefusal(text: string): Promise<string> {
    this.#count();
    const parsed = await this.#parsed(text);
    if (parsed !== undefined) this.#small(parsed.value);
    return text;
  }

  /** The events to hand on in the place of those of a stream. */
  async *ofStream(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    const frames = new EventFrames();
    const decoder = new TextDecoder();
    const encoder = new TextEncoder();
    this.#count();
    this.#turnEnds = performance.now() + SLICE_MS;
    for await (const chunk of body) {
      for (const frame of frames.feed(decoder.decode(chunk, { stream: true }))) {
        const text = frame === null ? '' : await this.#ofFrame(frame);
        if (text !== '') yield encoder.encode(text);
        await this.#pace();
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
    if (text.length >= LARGE_CHARS) await yieldToOthers();
    const excess = excessOfText(text);
    if (excess !== null) throw new UnreadableAnswerError(`answer ${excess}`);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return undefined;
    }
    if (text.length >= LARGE_CHARS) await yieldToOthers();
    return { value };
  }

  /** Null: nothing of it is for the client. */
  async #handedOn(message: unknown): Promise<Fields | null> {
    if (!isMessage(message)) return null;
    if ('method' in message) return 'id' in message ? this.#question(message) : null;
    const { id, result } = message;
    // It could not say to what: the client knows.
    if (id === null) return this.#small(message);
    if (this.#awaited === null || String(id) !== this.#awaited) return null;
    this.#awaited = null;
    if (!isFields(result)) return this.#small(message);
    const taken = await takenOut(result);
    if ('problem' in taken) throw new UnreadableAnswerError(taken.problem);
    this.#said = taken.said;
    return this.#small({ ...message, result: taken.rest });
  }

  #question(message: Fields): Fields {
    this.#questions += 1;
    if (this.#questions > MAX_QUESTIONS)
      throw new UnreadableAnswerError(
        `answer holds more than ${MAX_QUESTIONS} requests: nobody answers them during a run`,
      );
    return this.#small(message);
  }

  #small<Message>(message: Message): Message {
    const excess = excessOfRest(message);
    if (excess !== null) throw new UnreadableAnswerError(`answer ${excess}`);
    return message;
  }

  #count(): void {
    this.#messages += 1;
    if (this.#messages > MAX_MESSAGES)
      throw new UnreadableAnswerError(
        `answer holds more than ${MAX_MESSAGES} messages: have the tool send fewer`,
      );
  }

  /** What the client made of what it was handed counts, too. */
  async #pace(): Promise<void> {
    if (performance.now() < this.#turnEnds) return;
    await yieldToOthers();
    this.#turnEnds = performance.now() + SLICE_MS;
  }
}

/** Events of other kinds are none of MCP. */
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
