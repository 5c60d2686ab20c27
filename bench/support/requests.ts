import { Pool, type Dispatcher } from 'undici';
import { requestOf, type Target } from './load.ts';

/** Sends what a target is asked, one request at a time on each of its connections, which stay open. */
export class Requests {
  private readonly connections: Pool;
  private readonly request: Dispatcher.RequestOptions;

  constructor(target: Target, connections: number) {
    const { origin, pathname, search } = new URL(target.url);
    this.connections = new Pool(origin, { connections });
    this.request = { path: pathname + search, ...requestOf(target) };
  }

  /** Resolves with the end of the answer. Fails when it is not 2xx. */
  async send(): Promise<void> {
    const { statusCode, body } = await this.connections.request(this.request);
    const text = await body.text();
    if (statusCode >= 300)
      throw new Error(`${this.request.path} answered ${statusCode}: ${text.slice(0, 500)}`);
  }

  stop(): Promise<void> {
    return this.connections.close();
  }
}
