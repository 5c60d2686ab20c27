import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { TestIssuer } from './issuer.js';

interface Grant {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly resource: string | null;
  readonly scope: string | null;
}

/**
 * An issuer where people log in: OAuth 2.1 with an authorization code and PKCE (S256), for clients that register themselves. Whoever
 * comes to its page is `alice`, and says yes.
 */
export class LoginIssuer extends TestIssuer {
  /** The grants by their codes, each of which is good once. */
  private readonly codes = new Map<string, Grant>();
  private readonly clients = new Map<string, readonly string[]>();
  /** For whom tokens were asked for. */
  readonly resources: (string | null)[] = [];
  readonly scopes: (string | null)[] = [];
  private issued = 0;

  override async start(): Promise<this> {
    await super.start();
    Object.assign(this.document, {
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      registration_endpoint: `${this.url}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['ES256'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
    return this;
  }

  protected override answers(request: IncomingMessage, response: ServerResponse): boolean {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    // Of an issuer with a path clients look there first (RFC 8414).
    if (pathname.startsWith('/.well-known/')) {
      response.writeHead(404).end();
      return true;
    }
    const [, path] = /^\/realm\/(register|authorize|token)$/.exec(pathname) ?? [];
    if (path === undefined) return false;
    const work =
      path === 'authorize'
        ? this.authorize(searchParams)
        : text(request).then((body) => (path === 'register' ? this.register(body) : this.redeem(body)));
    void work.then(({ status, headers = {}, body }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
    return true;
  }

  private async register(body: string): Promise<Said> {
    const metadata = JSON.parse(body) as { readonly redirect_uris: readonly string[] };
    const clientId = randomUUID();
    this.clients.set(clientId, metadata.redirect_uris);
    return { status: 201, body: { ...metadata, client_id: clientId } };
  }

  private async authorize(asked: URLSearchParams): Promise<Said> {
    const [clientId, redirectUri, challenge] = ['client_id', 'redirect_uri', 'code_challenge'].map(
      (name) => asked.get(name) ?? '',
    ) as [string, string, string];
    const isRight =
      asked.get('response_type') === 'code' &&
      asked.get('code_challenge_method') === 'S256' &&
      this.clients.get(clientId)?.includes(redirectUri) === true;
    if (!isRight) return refused('invalid_request');
    const code = randomUUID();
    const [resource, scope] = [asked.get('resource'), asked.get('scope')];
    this.codes.set(code, { clientId, redirectUri, challenge, resource, scope });
    const back = new URL(redirectUri);
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    return { status: 302, headers: { location: back.href } };
  }

  private async redeem(body: string): Promise<Said> {
    const sent = new URLSearchParams(body);
    const code = sent.get('code') ?? '';
    const grant = this.codes.get(code);
    this.codes.delete(code);
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight =
      grant !== undefined &&
      sent.get('grant_type') === 'authorization_code' &&
      sent.get('client_id') === grant.clientId &&
      sent.get('redirect_uri') === grant.redirectUri &&
      sent.get('resource') === grant.resource &&
      challenge === grant.challenge;
    if (!isRight) return refused('invalid_grant');
    this.resources.push(grant.resource);
    this.scopes.push(grant.scope);
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      aud: grant.resource,
      sub: 'alice',
      iat: now,
      exp: now + 300,
      jti: String((this.issued += 1)),
    };
    const token = await this.token(claims);
    return { status: 200, body: { access_token: token, token_type: 'Bearer', expires_in: 300 } };
  }
}

interface Said {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

const refused = (error: string): Said => ({ status: 400, body: { error } });
