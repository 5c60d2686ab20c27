import type { Format } from './exposition.js';

const OPENMETRICS = 'application/openmetrics-text';
const PLAIN: ReadonlySet<string> = new Set(['text/plain', 'text/*', '*/*']);

/** Which of the two formats an `Accept` prefers: OpenMetrics only if it is named. Nothing is refused. */
export function acceptedFormat(accept: string | undefined): Format {
  let openmetrics = 0;
  let plain = 0;
  for (const range of (accept ?? '').toLowerCase().split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim());
    if (type === OPENMETRICS) openmetrics = Math.max(openmetrics, qualityIn(parameters));
    else if (PLAIN.has(type)) plain = Math.max(plain, qualityIn(parameters));
  }
  return openmetrics > 0 && openmetrics >= plain ? 'openmetrics' : 'prometheus';
}

function qualityIn(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => parameter.startsWith('q='));
  if (given === undefined) return 1;
  const quality = Number(given.slice('q='.length));
  return quality >= 0 && quality <= 1 ? quality : 0;
}
