import type { VersionBackend } from '../backend.js';
import { jsonText } from '../calls/json-text.js';
import type { Page } from '../types/lists.js';
import type {
  WorkflowCheck,
  WorkflowDiff,
  WorkflowItem,
  WorkflowVersion,
  WorkflowVersionDetails,
} from '../types/versions.js';
import type { Exchange, Question } from './exchange.js';
import type { ServiceAddress } from './service-address.js';

/** What was registered, and what would be. */
export class RemoteVersions implements VersionBackend {
  readonly #address: ServiceAddress;
  readonly #exchange: Exchange;

  constructor(address: ServiceAddress, exchange: Exchange) {
    this.#address = address;
    this.#exchange = exchange;
  }

  async workflows(signal: AbortSignal) {
    const url = this.#address.of(['workflows']);
    const isAnswer: Question['isAnswer'] = ({ items }) => Array.isArray(items);
    const { items } = await this.#ask<{ readonly items: readonly WorkflowItem[] }>({ url, isAnswer }, signal);
    return items;
  }

  async remove({ workflowId }: Parameters<VersionBackend['remove']>[0], signal: AbortSignal) {
    const url = this.#address.of(['workflows', workflowId]);
    const codeOnceDone = 'unknown-workflow';
    await this.#exchange.ask({ url, method: 'DELETE', isAnswer: () => true, codeOnceDone }, signal);
  }

  read({ workflowId, hash }: Parameters<VersionBackend['read']>[0], signal: AbortSignal) {
    const url = this.#address.of(['workflows', workflowId], { hash });
    return this.#ask<WorkflowVersionDetails>(
      { url, isAnswer: ({ yaml }) => typeof yaml === 'string' },
      signal,
    );
  }

  list({ workflowId, ...query }: Parameters<VersionBackend['list']>[0], signal: AbortSignal) {
    const url = this.#address.of(['workflows', workflowId, 'versions'], query);
    return this.#ask<Page<WorkflowVersion>>({ url, isAnswer: ({ items }) => Array.isArray(items) }, signal);
  }

  diff({ workflowId, ...query }: Parameters<VersionBackend['diff']>[0], signal: AbortSignal) {
    const url = this.#address.of(['workflows', workflowId, 'diff'], query);
    return this.#ask<WorkflowDiff>({ url, isAnswer: ({ text }) => typeof text === 'string' }, signal);
  }

  check({ yaml, bindings }: Parameters<VersionBackend['check']>[0], signal: AbortSignal) {
    const url = this.#address.of(['workflows', 'validate']);
    const body = jsonText({ yaml, bindings }, 'bindings');
    return this.#ask<WorkflowCheck>({ url, body, isAnswer: ({ ok }) => typeof ok === 'boolean' }, signal);
  }

  async #ask<Answer>(question: Question, signal: AbortSignal): Promise<Answer> {
    return (await this.#exchange.ask(question, signal)) as unknown as Answer;
  }
}
