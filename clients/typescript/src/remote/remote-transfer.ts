import type { RunAddress, TransferBackend, Watching } from '../backend.js';
import { within } from '../calls/deadline.js';
import { FlowgateClientError } from '../errors/client-error.js';
import type { RunRecord } from '../types/records.js';
import { chunksOf } from './answer-chunks.js';
import type { Exchange } from './exchange.js';
import { isRecord, jsonOf } from './refusal.js';
import type { ServiceAddress } from './service-address.js';

const NDJSON = 'application/x-ndjson';

/** Whole runs, out of a service and into one. */
export class RemoteTransfer implements TransferBackend {
  readonly #address: ServiceAddress;
  readonly #exchange: Exchange;

  constructor(address: ServiceAddress, exchange: Exchange) {
    this.#address = address;
    this.#exchange = exchange;
  }

  async *exported(
    { workflowId, runId }: RunAddress,
    watching: Pick<Watching, 'signal' | 'maxSilenceMs'>,
  ): AsyncGenerator<string, undefined> {
    const url = this.#address.of(['workflows', workflowId, 'runs', runId, 'export']);
    const { signal, maxSilenceMs } = watching;
    const onTimeout = (): Error => this.#exchange.silence(maxSilenceMs, 'maxSilenceMs');
    const response = await within({ signal, timeoutMs: maxSilenceMs, onTimeout }, (inTime) =>
      this.#exchange.open({ url, accept: NDJSON }, inTime),
    );
    let last = '';
    try {
      for await (const line of this.#lines(chunksOf(response, watching), response.status))
        yield (last = line);
    } catch (cause) {
      signal.throwIfAborted();
      throw isOurs(cause) ? cause : this.#exchange.broken(cause);
    }
    if (signal.aborted) return undefined;
    const end = jsonOf(last);
    if (!isRecord(end) || typeof end['sha256'] !== 'string' || !('lastSeq' in end))
      throw this.#exchange.broken(new Error('the export was cut before its last line'));
    return undefined;
  }

  async imported(ndjson: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<RunRecord> {
    const url = this.#address.of(['runs', 'import']);
    const isAnswer = ({ runId, status }: Readonly<Record<string, unknown>>): boolean =>
      typeof runId === 'string' && typeof status === 'string';
    const question = { url, body: ndjson, contentType: NDJSON, isAnswer, codeOnceDone: 'run-known' };
    return (await this.#exchange.ask(question, signal)) as unknown as RunRecord;
  }

  /** Each with its line break; a last one may have none. */
  async *#lines(chunks: AsyncIterable<string>, status: number): AsyncGenerator<string, undefined> {
    let parts: string[] = [];
    let chars = 0;
    for await (const chunk of chunks) {
      let from = 0;
      for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
        yield parts.join('') + chunk.slice(from, end + 1);
        [parts, chars, from] = [[], 0, end + 1];
      }
      parts.push(chunk.slice(from));
      chars += chunk.length - from;
      if (chars > this.#exchange.maxPieceBytes) throw this.#exchange.tooLong(status);
    }
    const rest = parts.join('');
    if (rest !== '') yield rest;
    return undefined;
  }
}

function isOurs(error: unknown): boolean {
  return error instanceof FlowgateClientError;
}
