import { Agent, request, type IncomingHttpHeaders } from 'node:http';

/** The response; `status` 0: there was none. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const NOTHING: Reply = { status: 0, headers: {}, text: '', body: {} };
const GIVE_UP_MS = 20_000;

/** Sends harmful requests to a service that may be gone before it responds. */
export class Attacker {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 64 });

  constructor(readonly url: string) {}

  get(path: string): Promise<Reply> {
    return this.send('GET', path);
  }

  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.send('POST', path, typeof body === 'string' ? body : JSON.stringify(body), headers);
  }

  register(yaml: string, bindings?: object): Promise<Reply> {
    return this.post('/workflows/from-yaml', { yaml, ...(bindings === undefined ? {} : { bindings }) });
  }

  /** Starts runs and returns their ids; fewer when the service refused some. */
  async start(workflowId: string, body: object = {}, times = 1): Promise<string[]> {
    const path = `/workflows/${encodeURIComponent(workflowId)}/runs`;
    const text = JSON.stringify(body);
    const replies = await Promise.all(Array.from({ length: times }, () => this.post(path, text)));
    return replies.flatMap(({ body: { runId } }) => (typeof runId === 'string' ? [runId] : []));
  }

  /** Sends a request and never rejects: an attacker does not care. */
  send(
    method: string,
    path: string,
    body: string | null = null,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    return new Promise((resolve) => {
      const options = {
        method,
        agent: this.agent,
        timeout: GIVE_UP_MS,
        headers: { ...(body === null ? {} : { 'content-type': 'application/json' }), ...headers },
      };
      const sent = request(`${this.url}${path}`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', () => resolve(NOTHING));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            body: asObject(text),
          });
        });
      });
      sent.on('timeout', () => sent.destroy());
      sent.on('error', () => resolve(NOTHING));
      sent.end(body);
    });
  }

  leave(): void {
    this.agent.destroy();
  }
}

function asObject(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
