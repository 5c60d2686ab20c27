// What it costs to measure: runs over HTTP with metrics that are scraped every second, and with spans sent as well, next to
// none of both. The collector takes what it is sent and looks at none of it. Not measured: many origins, a slow collector.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hold, type Measure } from '../support/contest.ts';
import { CALLERS, load } from '../support/load.ts';
import { startFlowgate, type FlowgateService } from '../support/our-services.ts';
import type { Effort, Part } from '../support/part.ts';
import { NOTHING_FOUND, type Contest, type Findings } from '../support/results.ts';
import { Scope, scoped } from '../support/scope.ts';
import { SQLITE_DURABILITY } from './engine.ts';

/** Fifteen times as often as Prometheus does by default. */
const SCRAPE_EVERY_MS = 1_000;
const NOTHING = { FLOWGATE_METRICS: 'false' };
/**
 * Two processes of the same program differ by a few per cent for as long as they live, which is more than is looked for:
 * so the services are started anew every few rounds, and there are many rounds.
 */
const ROUNDS_OF_SERVICES = 4;
const SETS_OF_SERVICES = 8;
/** Each service, since it was started. */
const WARM_UP_SECONDS = 5;

export const metrics: Part = {
  name: 'metrics',
  title: 'metrics scraped every second, and spans, against neither',
  minutes: 12,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const collector = await startCollector(scope);
  const contests: Contest[] = [];
  for (const store of ['memory', 'sqlite'] as const)
    contests.push(await contestOf(store, effort, { OTEL_EXPORTER_OTLP_ENDPOINT: collector }));
  return {
    ...NOTHING_FOUND,
    contests,
    settings: {
      connections: CALLERS,
      'seconds of a round': effort.seconds,
      'rounds of the same services': ROUNDS_OF_SERVICES,
      'ms between two scrapes': SCRAPE_EVERY_MS,
    },
    durability: { 'on SQLite': SQLITE_DURABILITY, 'in memory': 'nothing is durable' },
  };
}

interface Contenders {
  readonly neither: Measure;
  readonly scraped: Measure;
  readonly traced: Measure;
}

async function contestOf(
  store: 'memory' | 'sqlite',
  { quick, seconds }: Effort,
  tracing: Readonly<Record<string, string>>,
): Promise<Contest> {
  let scope = new Scope();
  let current: Contenders | null = null;
  const startAnew = async (): Promise<Contenders> => {
    await scope.close();
    scope = new Scope();
    const started = [NOTHING, {}, tracing].map((settings) => startFlowgate(scope, store, { settings }));
    const [without, scraped, traced] = (await Promise.all(started)) as [
      FlowgateService,
      FlowgateService,
      FlowgateService,
    ];
    for (const service of [without, scraped, traced]) await load(service, quick ? 1 : WARM_UP_SECONDS);
    return {
      neither: () => load(without, seconds),
      scraped: whileScraped(scraped, seconds),
      traced: whileScraped(traced, seconds),
    };
  };
  const measureOf =
    (name: keyof Contenders): Measure =>
    () =>
      (current as Contenders)[name]();
  try {
    return await hold({
      id: `metrics-${store}`,
      title: `Three built-in units, \`sync: true\`, over HTTP, ${store === 'memory' ? 'in memory' : 'on SQLite'}`,
      operation: 'run',
      reference: 'neither',
      contenders: {
        neither: measureOf('neither'),
        'metrics, scraped': measureOf('scraped'),
        'metrics, scraped, and spans': measureOf('traced'),
      },
      rounds: quick ? 1 : ROUNDS_OF_SERVICES * SETS_OF_SERVICES,
      prepare: async (round) => {
        if (round % ROUNDS_OF_SERVICES === 0) current = await startAnew();
      },
    });
  } finally {
    await scope.close();
  }
}

function whileScraped(service: FlowgateService, seconds: number): Measure {
  return async () => {
    const scrapes: Promise<unknown>[] = [];
    const scrape = async (): Promise<void> => {
      const answer = await fetch(`${service.root}/metrics`);
      if (!answer.ok) throw new Error(`/metrics: ${answer.status}`);
      await answer.text();
    };
    // The first in the middle, so that no round has one more than another.
    let scraping: NodeJS.Timeout | null = null;
    const first = setTimeout(() => {
      scrapes.push(scrape());
      scraping = setInterval(() => scrapes.push(scrape()), SCRAPE_EVERY_MS);
    }, SCRAPE_EVERY_MS / 2);
    try {
      return await load(service, seconds);
    } finally {
      clearTimeout(first);
      clearInterval(scraping ?? undefined);
      await Promise.all(scrapes);
    }
  };
}

/** Answers where spans are sent to. */
async function startCollector(scope: Scope): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await scope.use(
    Promise.resolve({
      stop: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
