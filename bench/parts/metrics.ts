// What it costs to measure: runs over HTTP with metrics that are scraped every second, and with spans sent as well, beside
// none of both. The collector takes what it is sent and looks at none of it. Not measured: many origins, a slow collector.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hold, type Measure } from '../support/contest.ts';
import { CALLERS, load } from '../support/load.ts';
import { startFlowgate, type FlowgateService } from '../support/our-services.ts';
import type { Effort, Part } from '../support/part.ts';
import { NOTHING_FOUND, type Contest, type Findings } from '../support/results.ts';
import { scoped, type Scope } from '../support/scope.ts';
import { SQLITE_DURABILITY } from './engine.ts';

/** Fifteen times as often as Prometheus does unless it is told otherwise. */
const SCRAPE_EVERY_MS = 1_000;
const NOTHING = { FLOWGATE_METRICS: 'false' };

export const metrics: Part = {
  name: 'metrics',
  title: 'metrics scraped every second, and spans, against neither',
  minutes: 3,
  measure: (effort) => scoped((scope) => measure(effort, scope)),
};

async function measure(effort: Effort, scope: Scope): Promise<Findings> {
  const collector = await startCollector(scope);
  const contests: Contest[] = [];
  for (const store of ['memory', 'sqlite'] as const) {
    const without = await startFlowgate(scope, store, null, NOTHING);
    const scraped = await startFlowgate(scope, store);
    const traced = await startFlowgate(scope, store, null, { OTEL_EXPORTER_OTLP_ENDPOINT: collector });
    contests.push(
      await hold({
        id: `metrics-${store}`,
        title: `Three built-in units, \`sync: true\`, over HTTP, ${store === 'memory' ? 'in memory' : 'on SQLite'}`,
        operation: 'run',
        reference: 'neither',
        contenders: {
          neither: () => load(without, effort.seconds),
          'metrics, scraped': whileScraped(scraped, effort.seconds),
          'metrics, scraped, and spans': whileScraped(traced, effort.seconds),
        },
        rounds: effort.rounds,
        warmUp: effort.warmUp,
      }),
    );
  }
  return {
    ...NOTHING_FOUND,
    contests,
    settings: {
      connections: CALLERS,
      'seconds of a round': effort.seconds,
      'ms between two scrapes': SCRAPE_EVERY_MS,
    },
    durability: { 'on SQLite': SQLITE_DURABILITY, 'in memory': 'nothing is durable' },
  };
}

function whileScraped(service: FlowgateService, seconds: number): Measure {
  return async () => {
    const scrapes: Promise<unknown>[] = [];
    const scrape = async (): Promise<void> => {
      const answer = await fetch(`${service.root}/metrics`);
      if (!answer.ok) throw new Error(`/metrics: ${answer.status}`);
      await answer.text();
    };
    const scraping = setInterval(() => scrapes.push(scrape()), SCRAPE_EVERY_MS);
    scrapes.push(scrape());
    try {
      return await load(service, seconds);
    } finally {
      clearInterval(scraping);
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
