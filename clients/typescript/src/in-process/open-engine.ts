import { FlowgateUnreachableError } from '../errors/unreachable-error.js';
import type { EngineLike } from './engine-like.js';

/** The package `flowgate` is an optional peer: whoever only calls services does not have it. */
export async function openEngine(options: object): Promise<EngineLike> {
  const { createEngine } = await import('flowgate/engine').catch((cause: unknown) => {
    throw new FlowgateUnreachableError(sentence(cause), { code: 'ENGINE_MISSING', cause });
  });
  const engine = createEngine(options);
  try {
    await engine.open();
    return engine;
  } catch (error) {
    // It may hold the lock of a folder by now.
    await engine.close().catch(() => undefined);
    throw error;
  }
}

function sentence(cause: unknown): string {
  const { code = '', message = String(cause) } = cause as {
    readonly code?: string;
    readonly message?: string;
  };
  if (/^(?:ERR_)?MODULE_NOT_FOUND$/.test(code) && message.includes("'flowgate'")) {
    return (
      'Without a baseUrl the client runs workflows in this process, by the package flowgate, which is not installed: ' +
      'npm install flowgate, or give the baseUrl of a service'
    );
  }
  return `flowgate/engine cannot be loaded (${message}): it needs Node 22.13 or later; or give the baseUrl of a service`;
}
