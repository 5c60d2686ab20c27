import { Agent } from 'undici';

const TIMEOUT_MS = 5_000;
/** Far beyond the keys of any issuer. */
const MAX_RESPONSE_BYTES = 512 * 1024;

/** Reads documents of the issuer: no redirects, at most 512 KiB, at most 5 s. */
export class IssuerHttp {
  private readonly agent = new Agent({
    connections: 4,
    connect: { timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: MAX_RESPONSE_BYTES,
  });

  /** The text of a document. Rejects where there is none, with nothing of it in the error. */
  async read(url: URL): Promise<string> {
    const { statusCode, body } = await this.agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (statusCode === 200) return body.text();
    body.on('error', () => undefined).destroy();
    throw new Error(`${url.href} answers with ${statusCode}, not with 200.`);
  }

  /** Ends what is under way. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }
}
