import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** A real issuer on this machine: discovery, a key set, and tokens signed with its keys. */
export class TestIssuer {
  readonly requests: string[] = [];
  readonly signingKeys: SigningKey[] = [];
  /** What its document says; changed by tests of documents that are wrong. */
  document: Record<string, unknown> = {};
  /** What it answers in place of a document or the keys, if anything. */
  instead: {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly body: string;
  } | null = null;
  url = '';
  private server: Server | null = null;
  private port = 0;

  async start(): Promise<this> {
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      this.requests.push(path);
      if (this.instead !== null) {
        response.writeHead(this.instead.status, this.instead.headers).end(this.instead.body);
        return;
      }
      if (this.answers(request, response)) return;
      const body = path.endsWith('openid-configuration')
        ? this.document
        : { keys: this.signingKeys.map(({ publicJwk }) => publicJwk) };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.server = server;
    this.port = (server.address() as AddressInfo).port;
    this.url = `http://127.0.0.1:${this.port}/realm`;
    this.document = { issuer: this.url, jwks_uri: `${this.url}/keys`, ...this.document };
    return this;
  }

  /** Whether what is more than an issuer of tokens answers the request. */
  protected answers(_request: IncomingMessage, _response: ServerResponse): boolean {
    return false;
  }

  /** As a crash would: nobody listens any more. `start` brings it back at the same address. */
  async stop(): Promise<void> {
    const { server } = this;
    this.server = null;
    if (server === null) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }

  get keyReads(): number {
    return this.requests.filter((path) => path.endsWith('/keys')).length;
  }

  async addKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const key = {
      kid,
      alg,
      privateKey,
      publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' },
    };
    this.signingKeys.push(key);
    return key;
  }

  /** A token that is right unless the test says otherwise; `undefined` leaves a claim out. */
  async token(
    claims: Record<string, unknown> = {},
    { key = this.signingKeys[0], header = {} }: { key?: SigningKey; header?: Record<string, unknown> } = {},
  ): Promise<string> {
    const all = { iss: this.url, aud: 'flowgate', sub: 'alice', ...claims };
    return new SignJWT(JSON.parse(JSON.stringify(all)) as Record<string, unknown>)
      .setProtectedHeader({ alg: key!.alg, kid: key!.kid, typ: 'JWT', ...header })
      .sign(key!.privateKey);
  }
}
