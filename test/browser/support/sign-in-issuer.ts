import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { TestIssuer } from '../../access/support/issuer.js';

export const CLIENT_ID = 'console';

/**
 * A provider by whom people sign in to the console: it knows one public client, takes an authorization code with PKCE (S256), and lets
 * pages read its answers where it is told so. Whoever comes to its page is `alice`.
 */
export class SignInIssuer extends TestIssuer {
  /** How long its tokens are good, in seconds. */
  lifetimeSeconds = 300;
  /** Whether it gives tokens by which others are got, each of which is good once. */
  givesRefreshTokens = true;
  allowsPages = true;
  /** With what it sends everybody back in place of a code, if anything. */
  refusal: string | null = null;
  /** Whom it says it is, with each answer. */
  namedIssuer: string | null = null;
  /** Whether it is gone once it has sent somebody back. */
  leavesThen = false;
  /** The addresses to which it has sent people back. */
  readonly sentBack: string[] = [];
  readonly scopes: (string | null)[] = [];
  readonly granted = { authorization_code: 0, refresh_token: 0 };
  private readonly codes = new Map<string, URLSearchParams>();
  private readonly refreshTokens = new Set<string>();

  override async start(): Promise<this> {
    await super.start();
    await this.addKey('one');
    Object.assign(this.document, {
      authorization_endpoint: `${this.url}/authorize`,
      token_endpoint: `${this.url}/token`,
      authorization_response_iss_parameter_supported: true,
    });
    this.namedIssuer = this.url;
    return this;
  }

  /** What it would give `alice`. */
  async tokenOfAlice(): Promise<string> {
    const now = Date.now() / 1000;
    return this.token({ iat: now, exp: now + this.lifetimeSeconds, jti: randomUUID() });
  }

  protected override answers(request: IncomingMessage, response: ServerResponse): boolean {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.url);
    if (pathname.endsWith('/authorize')) {
      if (this.leavesThen) response.once('close', () => void this.stop());
      this.authorize(searchParams, response);
      return true;
    }
    if (!pathname.endsWith('/token')) return false;
    const { origin } = request.headers;
    if (this.allowsPages && origin !== undefined) response.setHeader('access-control-allow-origin', origin);
    response.setHeader('content-type', 'application/json');
    void text(request).then(async (body) => {
      const answer = await this.grant(new URLSearchParams(body));
      response.writeHead(answer === null ? 400 : 200);
      response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }));
    });
    return true;
  }

  private authorize(asked: URLSearchParams, response: ServerResponse): void {
    this.scopes.push(asked.get('scope'));
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    if (this.namedIssuer !== null) back.searchParams.set('iss', this.namedIssuer);
    if (this.refusal !== null) back.searchParams.set('error', this.refusal);
    else {
      const code = randomUUID();
      this.codes.set(code, asked);
      back.searchParams.set('code', code);
    }
    this.sentBack.push(back.href);
    response.writeHead(302, { location: back.href, connection: 'close' }).end();
  }

  private async grant(sent: URLSearchParams): Promise<object | null> {
    if (!this.isRight(sent)) return null;
    this.granted[sent.get('grant_type') as keyof typeof this.granted] += 1;
    const refresh = randomUUID();
    if (this.givesRefreshTokens) this.refreshTokens.add(refresh);
    return {
      access_token: await this.tokenOfAlice(),
      token_type: 'Bearer',
      expires_in: this.lifetimeSeconds,
      ...(this.givesRefreshTokens ? { refresh_token: refresh } : {}),
    };
  }

  private isRight(sent: URLSearchParams): boolean {
    if (sent.get('client_id') !== CLIENT_ID) return false;
    if (sent.get('grant_type') === 'refresh_token')
      return this.refreshTokens.delete(sent.get('refresh_token') ?? '');
    const code = sent.get('code') ?? '';
    const asked = this.codes.get(code);
    this.codes.delete(code);
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    return (
      sent.get('grant_type') === 'authorization_code' &&
      asked?.get('response_type') === 'code' &&
      asked.get('client_id') === CLIENT_ID &&
      asked.get('redirect_uri') === sent.get('redirect_uri') &&
      asked.get('code_challenge_method') === 'S256' &&
      asked.get('code_challenge') === challenge
    );
  }
}
