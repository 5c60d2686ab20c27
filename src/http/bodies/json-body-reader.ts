import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { ACCESS } from '../../config/access/access-tokens.js';
import { EDGE_DEFAULTS, type EdgeOptions } from '../../config/edge-options.js';
import { FLOWGATE_OPTIONS } from '../../config/options.module.js';
import { exceededJsonLimit } from '../../engine/json/exceeded-json-limit.js';
import {
  BodyTooLargeError,
  InvalidRequestError,
  MalformedJsonError,
  UnsupportedMediaTypeError,
} from '../../errors/request-errors.js';
import type { Access } from '../access/access.js';
import { askAgain } from '../access/asked-again.js';
import { RefusalLog } from '../access/refusals/refusal-log.js';
import { streamOf, type EdgeRequest } from '../edge-request.js';
import { unmark } from '../host-bodies/taken-body.js';
import { hasBody, readBytes } from './read-bytes.js';
import { Uploads } from './uploads.js';

/** A body, as read. */
export interface JsonSource {
  readonly value: unknown;
  /** The text that was sent; null if only the host's parser has seen it. */
  readonly text: string | null;
  /** A sentence about an exceeded limit: the body was not parsed, and there is no value. Null: no limit was exceeded. */
  readonly exceeded: string | null;
}

/** The limit of import, which is its own because an export may be longer than any other body. */
const LARGEST_BODY_BYTES = 16 * 1024 * 1024;

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Reads a request's body as JSON (or, where a route takes it so, as text), whatever its content type; an empty one is
 * `{}` (wire contract, "leniency"). If a body parser of the host ran first all the same, its result is used.
 */
@Injectable()
export class JsonBodyReader {
  private readonly maxBytes: number;
  private readonly uploads: Uploads;
  private readonly largest: Uploads;
  private readonly log = new RefusalLog((line) => new Logger('Access').warn(line));

  constructor(
    @Inject(FLOWGATE_OPTIONS)
    { maxBodyBytes = EDGE_DEFAULTS.maxBodyBytes, maxUploadBytes = EDGE_DEFAULTS.maxUploadBytes }: EdgeOptions,
    @Inject(ACCESS) private readonly access: Access | null,
  ) {
    this.maxBytes = maxBodyBytes;
    this.uploads = new Uploads({ maxBodyBytes, maxUploadBytes });
    this.largest = new Uploads({ maxBodyBytes: LARGEST_BODY_BYTES, maxUploadBytes });
  }

  /**
   * Rejects with a `MalformedJsonError`, an `InvalidRequestError`, a `BodyTooLargeError`, an `UploadsFullError` or an
   * `UnsupportedMediaTypeError`; as the guard does where the request would be refused by the time that its body is there.
   */
  async read(request: EdgeRequest): Promise<unknown> {
    const source = this.readSource(request);
    const { value, exceeded } = source instanceof Promise ? await source : source;
    if (exceeded !== null) throw new InvalidRequestError(exceeded);
    return value;
  }

  /**
   * The body as text, for a content type that is not JSON. Rejects as `read` does, and with an
   * `UnsupportedMediaTypeError` if a parser of the host has left no text.
   */
  async readText(request: EdgeRequest): Promise<string> {
    const body = this.bodyOf(request);
    if (body.kind === 'text') return body.text;
    if (body.kind === 'value') throw unsupported(request);
    const bytes = await body.bytes;
    if (!isUtf8(bytes))
      throw new InvalidRequestError('The body is no text of UTF-8: write it in UTF-8, not compressed');
    return bytes.toString();
  }

  /**
   * The bytes of a body of up to 16 MiB, whatever limit the setting has for others. Rejects as `readText` does,
   * except for what is not text.
   */
  async readLargest(request: EdgeRequest): Promise<Buffer> {
    const body = this.bodyOf(request, LARGEST_BODY_BYTES, this.largest);
    if (body.kind === 'text') return Buffer.from(body.text);
    if (body.kind === 'value') throw unsupported(request);
    try {
      return await body.bytes;
    } catch (error) {
      if (!(error instanceof BodyTooLargeError)) throw error;
      throw new BodyTooLargeError(LARGEST_BODY_BYTES, 'that is the most that is taken here');
    }
  }

  /** Without a promise if the whole body has arrived, as nearly all have when they are read. */
  readSource(request: EdgeRequest): Promise<JsonSource> | JsonSource {
    const body = this.bodyOf(request);
    if (body.kind === 'value') return { value: body.value, text: null, exceeded: null };
    if (body.kind === 'text') return sourceOfText(body.text);
    return body.bytes instanceof Promise ? body.bytes.then(sourceOf) : sourceOf(body.bytes);
  }

  private bodyOf(request: EdgeRequest, maxBytes = this.maxBytes, uploads = this.uploads): Body {
    const stream = streamOf(request);
    unmark(stream);
    if (!hasBody(stream) || isUntouched(stream)) {
      const bytes = readBytes(stream, maxBytes, uploads);
      return { kind: 'bytes', bytes: bytes instanceof Promise ? this.ofAskedAgain(request, bytes) : bytes };
    }
    return leftByParser(request);
  }

  /** Who sends a body that had to be waited for was asked before it came. */
  private async ofAskedAgain(request: EdgeRequest, bytes: Promise<Buffer>): Promise<Buffer> {
    const read = await bytes;
    if (this.access !== null) await askAgain(request, this.access, this.log);
    return read;
  }
}

/** A body: the bytes that came, or what a parser of the host has made of them. */
type Body =
  | { readonly kind: 'bytes'; readonly bytes: Promise<Buffer> | Buffer }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: unknown };

function isUntouched(stream: IncomingMessage): boolean {
  return !stream.readableDidRead && !stream.readableEnded;
}

/** Throws an `UnsupportedMediaTypeError` if the parser took the body for a form, or left nothing. */
function leftByParser(request: EdgeRequest): Body {
  const { body, rawBody } = request;
  const bytes = [body, rawBody].find((one) => Buffer.isBuffer(one));
  if (bytes !== undefined) return { kind: 'bytes', bytes };
  if (typeof body === 'string') return { kind: 'text', text: body };
  if (body === undefined || body === null || isForm(request)) throw unsupported(request);
  return { kind: 'value', value: body };
}

function isForm(request: EdgeRequest): boolean {
  return /^(?:application\/x-www-form-urlencoded$|multipart\/)/.test(mediaTypeOf(request) ?? '');
}

function unsupported(request: EdgeRequest): UnsupportedMediaTypeError {
  return new UnsupportedMediaTypeError(mediaTypeOf(request));
}

/** The content type in lower case, without its parameters; null if there is none, or an invalid one. */
function mediaTypeOf({ headers }: EdgeRequest): string | null {
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(type) ? type : null;
}

function sourceOf(bytes: Buffer): JsonSource {
  if (!isUtf8(bytes)) throw new MalformedJsonError('its bytes are not UTF-8');
  return sourceOfText(bytes.toString());
}

function sourceOfText(sent: string): JsonSource {
  const text = withoutByteOrderMark(sent);
  const exceeded = exceededJsonLimit(text);
  if (exceeded !== null) return { value: undefined, text, exceeded: `The body ${exceeded}` };
  return { value: text === '' ? {} : parse(text), text, exceeded: null };
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // V8 quotes the text around the fault, which is short and the caller's own.
    throw new MalformedJsonError(error instanceof Error ? error.message : 'it does not parse');
  }
}
