/** The connection has said nothing for too long. */
class Silence extends Error {
  readonly code = 'SILENCE';
}

/**
 * The body as text, piece by piece, as it comes. Ends early when the signal fires; throws what the connection throws, or a
 * `Silence`. Between two pieces nothing is counted: a reader may take its time. The connection is released in any case.
 */
export async function* chunksOf(
  response: Response,
  { signal, maxSilenceMs }: { readonly signal: AbortSignal; readonly maxSilenceMs: number },
): AsyncGenerator<string, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return undefined;
  const decoder = new TextDecoder();
  const letGo = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', letGo, { once: true });
  try {
    while (!signal.aborted) {
      const { done, value } = await inTime(reader.read(), maxSilenceMs);
      if (done) break;
      yield decoder.decode(value, { stream: true });
    }
    const rest = decoder.decode();
    if (rest !== '') yield rest;
  } finally {
    signal.removeEventListener('abort', letGo);
    letGo();
  }
  return undefined;
}

async function inTime<T>(read: Promise<T>, maxSilenceMs: number): Promise<T> {
  if (!Number.isFinite(maxSilenceMs)) return read;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    const tell = (): void => reject(new Silence(`nothing came for ${maxSilenceMs} ms`));
    timer = setTimeout(tell, maxSilenceMs);
  });
  // Whichever is later has nobody who listens.
  read.catch(() => undefined);
  try {
    return await Promise.race([read, silence]);
  } finally {
    clearTimeout(timer);
  }
}
