import { document } from '../../support/workflow-documents.ts';

/** What a check looks into as it likes. */
// oxlint-disable-next-line typescript/no-explicit-any -- checks say by their assertions what it must be
export type Body = any;

/** What came back, its body read as JSON when it is some. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

export interface RunName {
  readonly workflowId: string;
  readonly runId: string;
}

/** Where the service is, and what each request needs to be let through to it. */
export interface Address {
  readonly baseUrl: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The account of whoever sends these headers, where the service asks who is asking: it is the responder of what they decide. */
  readonly owner?: string;
}

/** The interface as its callers see it, by `fetch` alone. */
export class Caller {
  /** Two suites on one service must not meet. */
  private readonly mark = Math.random().toString(36).slice(2, 8);
  private named = 0;

  private readonly address: Address;

  constructor(address: Address) {
    this.address = address;
  }

  /** A body that is neither text nor bytes is sent as JSON. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const isSent = body !== undefined;
    const response = await fetch(this.address.baseUrl + path, {
      method,
      headers: {
        ...(isSent ? { 'content-type': 'application/json' } : {}),
        ...this.address.headers,
        ...headers,
      },
      ...(isSent ? { body: asSent(body) } : {}),
      redirect: 'manual',
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: asJson(text) };
  }

  get(path: string): Promise<Answer> {
    return this.call('GET', path);
  }

  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    return this.call('POST', path, body, headers);
  }

  /** An id that no other check has. */
  id(name: string): string {
    this.named += 1;
    return `${name}-${this.mark}${this.named}`;
  }

  /** Registers a workflow of these units, one after the other, under an id of its own, and gives that. */
  async register(units: readonly object[], spec: object = {}, bindings?: object): Promise<string> {
    return this.registerText(document(this.id('check'), units, spec), bindings);
  }

  async registerText(yaml: string, bindings?: object): Promise<string> {
    const { status, body, text } = await this.post('/workflows/from-yaml', { yaml, bindings });
    if (status !== 201) throw new Error(`POST /workflows/from-yaml answered ${status}: ${text}`);
    return body.workflowId as string;
  }

  /** Whether the service asks who is asking. */
  get asksWho(): boolean {
    return this.address.owner !== undefined;
  }

  /** Who stands as the responder of a decision that says it was this one. */
  responder(named: string): string {
    return this.address.owner ?? named;
  }

  /** Starts a run; what is no 202 rejects. */
  async start(workflowId: string, body: object = { sync: true }): Promise<Body> {
    const answer = await this.post(runsOf(workflowId), body);
    if (answer.status !== 202) throw new Error(`the start answered ${answer.status}: ${answer.text}`);
    return answer.body;
  }

  /** Registers a workflow of these units and runs it until it stops. */
  async run(units: readonly object[], spec?: object, input: object = {}): Promise<Body> {
    return this.start(await this.register(units, spec), { input, sync: true });
  }

  async read(run: RunName): Promise<Body> {
    return (await this.get(pathOf(run))).body;
  }

  resume(run: RunName, body?: unknown): Promise<Answer> {
    return this.post(`${pathOf(run)}/resume`, body);
  }

  respond(run: RunName, body?: unknown): Promise<Answer> {
    return this.post(`${pathOf(run)}/hitl`, body);
  }

  /** A tool of the gateway, called by the plain profile. */
  async tool(name: unknown, args?: unknown): Promise<Body> {
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    return (await this.post('/mcp', request)).body;
  }

  /** Asks again until the answer is as wished, for what the service does in its own time. */
  async eventually(ask: () => Promise<Answer>, isAsWished: (body: Body) => boolean): Promise<Answer> {
    for (let tries = 0; tries < 250; tries += 1) {
      const answer = await ask();
      if (isAsWished(answer.body)) return answer;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error('It did not come to be as wished within five seconds.');
  }
}

export const runsOf = (workflowId: string): string => `/workflows/${encodeURIComponent(workflowId)}/runs`;
export const pathOf = ({ workflowId, runId }: RunName): string => `${runsOf(workflowId)}/${runId}`;

function asSent(body: unknown): string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
