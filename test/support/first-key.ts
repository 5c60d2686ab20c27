import { createHash, randomBytes } from 'node:crypto';
import type { Service } from './service.js';

/** The key by which the first one is made, and the settings of a service that takes it. */
export interface Bootstrap {
  readonly key: string;
  readonly settings: Readonly<Record<string, string>>;
}

export function bootstrap(): Bootstrap {
  const key = randomBytes(32).toString('base64');
  const hash = createHash('sha256').update(key).digest('hex');
  return { key, settings: { FLOWGATE_AUTH: 'keys', FLOWGATE_BOOTSTRAP_KEY_SHA256: hash } };
}

export const bearer = (secret: string): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${secret}`,
});

/** Makes a key by another one, and gives its secret; `request` as `POST /keys` takes it. */
export async function keyBy(
  { call }: Pick<Service, 'call'>,
  by: string,
  request: object,
): Promise<{ readonly id: string; readonly secret: string }> {
  const { status, body, text } = await call('POST', '/keys', { body: request, headers: bearer(by) });
  if (status !== 201) throw new Error(`POST /keys answered ${status}: ${text}`);
  return { id: body.key.id as string, secret: body.secret as string };
}

export const EVERYTHING = [{ namespace: '*', roles: ['admin'] }];
