import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { createService } from '../../src/app.module.js';
import { readConfig } from '../../src/config/service/read-config.js';
import type { RunRecord } from '../../src/engine/index.js';

/** What a test looks into as it likes. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests say by their expectations what it must be
export type Body = any;

/** What came back, its body read as JSON when it is some. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Body;
}

export interface Call {
  /** Sent as JSON, or, when it is a string or a Buffer, as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** The whole service behind a real socket. */
export interface Service {
  readonly app: INestApplication;
  readonly url: string;
  /** Sends the path exactly as it is given. */
  call(method: string, path: string, call?: Call): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Registers, and gives the id; throws what the service says against it. */
  register(yaml: string, bindings?: unknown): Promise<string>;
  start(workflowId: string, body?: unknown): Promise<RunRecord>;
  run(record: { readonly workflowId: string; readonly runId: string }): Promise<RunRecord>;
  close(): Promise<void>;
}

const SILENT_IN_MEMORY = { FLOWGATE_STORE: 'memory', LOG_LEVEL: 'silent', PORT: '0' };

/** Starts it, on a free port unless one is named; `environment` is what its process would be given, `others` are options beside those. */
export async function startService(
  environment: Readonly<Record<string, string>> = {},
  others: object = {},
  port = 0,
): Promise<Service> {
  const { config } = readConfig({ ...SILENT_IN_MEMORY, ...environment });
  const app = await createService(config, others);
  await app.listen(port, '127.0.0.1');
  return serviceOf(app);
}

export function serviceOf(app: INestApplication, prefix = ''): Service {
  const { port } = app.getHttpServer().address() as AddressInfo;
  const url = `http://127.0.0.1:${port}${prefix}`;
  const call = (method: string, path: string, given: Call = {}): Promise<Answer> =>
    send({ port, method, path: `${prefix}${path}`, ...given });
  const service: Service = {
    app,
    url,
    call,
    get: (path) => call('GET', path),
    post: (path, body, headers) =>
      call('POST', path, { body, ...(headers === undefined ? {} : { headers }) }),
    async register(yaml, bindings) {
      const answer = await service.post('/workflows/from-yaml', { yaml, bindings });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.body.workflowId as string;
    },
    async start(workflowId, body = { sync: true }) {
      const answer = await service.post(`/workflows/${encodeURIComponent(workflowId)}/runs`, body);
      if (answer.status !== 202) throw new Error(answer.text);
      return answer.body as RunRecord;
    },
    async run({ workflowId, runId }) {
      return (await service.get(`/workflows/${encodeURIComponent(workflowId)}/runs/${runId}`))
        .body as RunRecord;
    },
    close: () => app.close(),
  };
  return service;
}

interface Sent extends Call {
  readonly port: number;
  readonly method: string;
  readonly path: string;
}

/** Asks once more where a connection that was kept was closed by the other side just as it was taken. */
async function send(sent: Sent): Promise<Answer> {
  const first = await sendOnce(sent);
  const answer = first === 'too-late' ? await sendOnce(sent) : first;
  if (answer === 'too-late') throw new Error(`${sent.method} ${sent.path}: two kept connections were closed`);
  return answer;
}

function sendOnce({ port, method, path, body, headers = {} }: Sent): Promise<Answer | 'too-late'> {
  const bytes = body === undefined ? undefined : asBytes(body);
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: {
          ...(bytes === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': bytes.length }),
          ...(headers as Readonly<Record<string, string>>),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: asJson(text) });
        });
      },
    );
    request.on('error', (error: NodeJS.ErrnoException) => {
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve('too-late');
      else reject(error);
    });
    request.end(bytes);
  });
}

function asBytes(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
