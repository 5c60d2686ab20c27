import { isUtf8 } from 'node:buffer';
import { Inject, Injectable } from '@nestjs/common';
import { EDGE_DEFAULTS, type EdgeOptions } from '../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../config/options.module.js';
import { InvalidRequestError, MalformedJsonError } from '../errors/request-errors.js';
import { excessOfJson } from './body-bounds.js';
import { streamOf, type EdgeRequest } from './edge-request.js';
import { readBytes } from './read-bytes.js';
import { Uploads } from './uploads/uploads.js';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads a request's body as JSON, whatever its content type; an empty one is `{}` (wire contract, "leniency").
 * In a host whose body parser was here first it takes what that one made.
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
    return (await this.readSource(request)).value;
  }

  /** As `read`, with the text that was sent; null where only the host's parser has seen it. */
  async readSource(request: EdgeRequest): Promise<{ readonly value: unknown; readonly text: string | null }> {
    const { body } = request;
    if (body !== undefined && !Buffer.isBuffer(body)) return { value: body, text: null };
    const bytes = body ?? (await readBytes(streamOf(request), this.maxBytes, this.uploads));
    if (!isUtf8(bytes)) throw new MalformedJsonError('its bytes are not UTF-8');
    const excess = excessOfJson(bytes);
    if (excess !== null) throw new InvalidRequestError(`The body ${excess}`);
    const text = withoutByteOrderMark(bytes.toString());
    return { value: text === '' ? {} : parse(text), text };
  }
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
