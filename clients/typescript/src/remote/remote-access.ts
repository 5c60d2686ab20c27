import type { AccessBackend } from '../backend.js';
import { jsonText } from '../calls/json-text.js';
import type { ApiKey, AuditItem, MadeKey, WhoAmI } from '../types/access.js';
import type { Page } from '../types/lists.js';
import type { Exchange, Question } from './exchange.js';
import { isRecord } from './refusal.js';
import type { ServiceAddress } from './service-address.js';

/** `GET /whoami`, `/keys`, `/owners` and `/audit`. */
export class RemoteAccess implements AccessBackend {
  readonly #address: ServiceAddress;
  readonly #exchange: Exchange;

  constructor(address: ServiceAddress, exchange: Exchange) {
    this.#address = address;
    this.#exchange = exchange;
  }

  async whoami(signal: AbortSignal): Promise<WhoAmI> {
    const url = this.#address.of(['whoami']);
    const isAnswer: Question['isAnswer'] = ({ grants }) => Array.isArray(grants);
    return (await this.#exchange.ask({ url, isAnswer }, signal)) as unknown as WhoAmI;
  }

  makeKey(request: Parameters<AccessBackend['makeKey']>[0], signal: AbortSignal): Promise<MadeKey> {
    return this.#made(this.#address.of(['keys']), jsonText(request, 'The key'), signal);
  }

  async keys(request: Parameters<AccessBackend['keys']>[0], signal: AbortSignal): Promise<Page<ApiKey>> {
    const url = this.#address.of(['keys'], { ...request });
    const isAnswer: Question['isAnswer'] = ({ items }) => Array.isArray(items);
    return (await this.#exchange.ask({ url, isAnswer }, signal)) as unknown as Page<ApiKey>;
  }

  rotateKey({ id, overlapMs }: Parameters<AccessBackend['rotateKey']>[0], signal: AbortSignal) {
    return this.#made(this.#address.of(['keys', id, 'rotate']), JSON.stringify({ overlapMs }), signal);
  }

  async revokeKey({ id }: Parameters<AccessBackend['revokeKey']>[0], signal: AbortSignal): Promise<void> {
    const url = this.#address.of(['keys', id]);
    const codeOnceDone = 'unknown-key';
    await this.#exchange.ask({ url, method: 'DELETE', isAnswer: () => true, codeOnceDone }, signal);
  }

  async revokeOwner({ owner }: Parameters<AccessBackend['revokeOwner']>[0], signal: AbortSignal) {
    const url = this.#address.of(['owners', owner, 'revoke']);
    await this.#exchange.ask({ url, body: '{}', isAnswer: () => true }, signal);
  }

  async audit(request: Parameters<AccessBackend['audit']>[0], signal: AbortSignal): Promise<Page<AuditItem>> {
    const url = this.#address.of(['audit'], { ...request });
    const isAnswer: Question['isAnswer'] = ({ items }) => Array.isArray(items);
    return (await this.#exchange.ask({ url, isAnswer }, signal)) as unknown as Page<AuditItem>;
  }

  /** Sent once: where the answer is lost, a second try would leave a key behind of which nobody has the secret. */
  async #made(url: string, body: string, signal: AbortSignal): Promise<MadeKey> {
    const isAnswer: Question['isAnswer'] = ({ key, secret }) => isRecord(key) && typeof secret === 'string';
    const once = { ...this.#exchange.retries, count: 0 };
    return (await this.#exchange.ask({ url, body, isAnswer }, signal, once)) as unknown as MadeKey;
  }
}
