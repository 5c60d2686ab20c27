import { isUtf8 } from 'node:buffer';
import { Inject, Injectable } from '@nestjs/common';
import { EDGE_DEFAULTS, type EdgeOptions } from '../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { excessOfJson } from '../engine/json/json-excess.js';
import { InvalidRequestError, MalformedJsonError } from '../errors/request-errors.js';
import { streamOf, type EdgeRequest } from './edge-request.js';
import { readBytes } from './read-bytes.js';
import { Uploads } from './uploads/uploads.js';

/** A body, as read. */
export interface JsonSource {
  readonly value: unknown;
  /** What was sent; null where only the host's parser has seen it. */
  readonly text: string | null;
  /** A sentence that says what there is too much of: it was not parsed, and there is no value. Null: nothing. */
  readonly excess: string | null;
}

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads a request's body as JSON (or, where a route takes it so, as text), whatever its content type; an empty one is `{}`
 * (wire contract, "leniency"). In a host whose body parser was here first it takes what that one made.
 */
@Injectable()
export class JsonBodyReader {
  private readonly maxBytes: number;
  private readonly uploads: Uploads;

  constructor(
    @Inject(FLOWGATE_OPTIONS)
    { maxBodyBytes = EDGE_DEFAULTS.maxBodyBytes, maxUploadBytes = EDGE_DEFAULTS.maxUploadBytes }: EdgeOptions,
  ) {
    this.maxBytes = maxBodyBytes;
    this.uploads = new Uploads({ maxBodyBytes, maxUploadBytes });
  }

  /** Rejects with a `MalformedJsonError`, an `InvalidRequestError`, a `BodyTooLargeError` or an `UploadsFullError`. */
  async read(request: EdgeRequest): Promise<unknown> {
    const source = this.readSource(request);
    const { value, excess } = source instanceof Promise ? await source : source;
    if (excess !== null) throw new InvalidRequestError(excess);
    return value;
  }

  /**
   * The body as text, for a content type that says that it is no JSON. What a host's parser has made of it counts where
   * that is a text or bytes. Rejects as `read` does.
   */
  async readText(request: EdgeRequest): Promise<string> {
    const { body } = request;
    if (typeof body === 'string') return body;
    const bytes = Buffer.isBuffer(body)
      ? body
      : await readBytes(streamOf(request), this.maxBytes, this.uploads);
    if (!isUtf8(bytes))
      throw new InvalidRequestError('The body is no text of UTF-8: write it in UTF-8, not compressed');
    return bytes.toString();
  }

  /** At once where the whole body has arrived, as nearly all have by the time that they are asked for. */
  readSource(request: EdgeRequest): Promise<JsonSource> | JsonSource {
    const { body } = request;
    if (body !== undefined && !Buffer.isBuffer(body)) return { value: body, text: null, excess: null };
    const bytes = body ?? readBytes(streamOf(request), this.maxBytes, this.uploads);
    return bytes instanceof Promise ? bytes.then(sourceOf) : sourceOf(bytes);
  }
}

function sourceOf(bytes: Buffer): JsonSource {
  if (!isUtf8(bytes)) throw new MalformedJsonError('its bytes are not UTF-8');
  const text = withoutByteOrderMark(bytes.toString());
  const excess = excessOfJson(text);
  if (excess !== null) return { value: undefined, text, excess: `The body ${excess}` };
  return { value: text === '' ? {} : parse(text), text, excess: null };
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // V8 quotes the text around the fault: short, and the caller's own.
    throw new MalformedJsonError(error instanceof Error ? error.message : 'it does not parse');
  }
}
