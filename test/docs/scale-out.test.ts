import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/config/service/read-config.js';
import type { Setting } from '../../src/config/service/setting.js';
import { SETTINGS } from '../../src/config/service/settings.js';
import { POSTGRES_DEFAULTS } from '../../src/config/service/postgres-options.js';
import { readImagePlan } from '../image/support/image-plan.js';
import { blocksOf, readPage, sectionOf } from './support/page-blocks.js';

/** What the page of operation says a shutdown takes beyond the grace. */
const BEYOND_GRACE_MS = 5_000;

const page = readPage('docs/scale-out.md');
const blockOf = (heading: string, kind: string): string =>
  blocksOf(sectionOf(page, `## ${heading}`)).find((block) => block.kind === kind)?.text ?? '';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: number };
}

interface Deployment {
  readonly kind: string;
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels: object };
    readonly template: {
      readonly metadata: { readonly labels: object };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly {
          readonly ports: readonly { readonly containerPort: number }[];
          readonly env: readonly { readonly name: string; readonly value?: string }[];
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
          readonly startupProbe: Probe;
          readonly livenessProbe: Probe;
          readonly readinessProbe: Probe;
        }[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
  };
}

describe('the page about replicas', () => {
  it('names settings that there are', () => {
    const known = new Set(Object.values<Setting<unknown>>(SETTINGS).map(({ variable }) => variable));
    const named = [...page.matchAll(/\bFLOWGATE_[A-Z_]+\b/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('has headings for all that it lists at its beginning', () => {
    const anchors = [...page.matchAll(/\]\(#([\w-]+)\)/g)].map(([, anchor]) => anchor);
    const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading = '']) =>
      heading.toLowerCase().replaceAll(' ', '-'),
    );
    expect(anchors.filter((anchor) => !headings.includes(anchor ?? ''))).toEqual([]);
    expect(headings.filter((heading) => !anchors.includes(heading))).toEqual([]);
  });

  it('starts by settings that are taken', () => {
    const pairs = blockOf('Start', 'sh')
      .split(' ')
      .filter((word) => word.startsWith('FLOWGATE_'));
    const environment = Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
    const { config, warnings } = readConfig(environment);
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({ store: 'postgres', registry: 'durable', databaseSchema: 'flowgate' });
  });

  it('leads poolers and sessions by URLs that are taken', () => {
    const lines = blockOf('Poolers', '').split('\n');
    const environment = Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
    const { config } = readConfig({ FLOWGATE_STORE: 'postgres', ...environment });
    expect(config.databaseUrl).toMatch(/pgbouncer/);
    expect(config.databaseSessionUrl).not.toMatch(/pgbouncer/);
  });

  it('counts the connections and shards that there are', () => {
    const replicas = 4;
    expect(POSTGRES_DEFAULTS.maxConnections).toBe(8);
    expect(page).toContain('A replica has eight connections at most');
    expect(page).toContain(`has to leave room for ${replicas * POSTGRES_DEFAULTS.maxConnections}`);
    expect(page).toContain(`Runs are in ${POSTGRES_DEFAULTS.shards} shards`);
  });
});

describe('the manifest of Kubernetes', () => {
  const plan = readImagePlan();
  const text = blockOf('On Kubernetes', 'yaml');
  const [deployment, service, budget] = parseAllDocuments(text).map((one) => one.toJS() as Deployment);
  const { spec } = deployment!.spec.template;
  const container = spec.containers[0]!;
  const given = Object.fromEntries(
    container.env.map(({ name, value }) => [name, value ?? 'postgresql://flowgate@db/flowgate']),
  );
  const { config, warnings } = readConfig({ ...plan.environment, ...given });

  it('is several replicas of the same, each let end before it is killed', () => {
    expect([deployment!.kind, service!.kind, budget!.kind]).toEqual([
      'Deployment',
      'Service',
      'PodDisruptionBudget',
    ]);
    expect(deployment!.spec.replicas).toBe(3);
    expect(warnings).toEqual([]);
    expect([config.store, config.registry]).toEqual(['postgres', 'durable']);
    expect(spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(
      config.shutdownGraceMs + BEYOND_GRACE_MS,
    );
  });

  it('chooses in each part the pods that it makes', () => {
    const { labels } = deployment!.spec.template.metadata;
    const parts = parse(`[${text.match(/(?<=selector: ){.*}/)?.[0] ?? '{}'}]`) as readonly object[];
    expect(deployment!.spec.selector.matchLabels).toEqual(labels);
    expect(parts).toEqual([labels]);
    expect((budget as unknown as Deployment).spec.selector.matchLabels).toEqual(labels);
  });

  it('mounts what the settings name, and nothing that is not declared', () => {
    const paths = Object.fromEntries(container.volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
    expect(paths).toEqual({ tmp: '/tmp', secrets: config.secretsDir });
    expect(spec.volumes.map(({ name }) => name).toSorted()).toEqual(Object.keys(paths).toSorted());
  });

  it('asks where the image serves', () => {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    const probes = [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => httpGet);
    expect(probes.map(({ path }) => path)).toEqual(['/health/live', '/health/live', '/health/ready']);
    expect(new Set([...probes.map(({ port }) => port), plan.port])).toEqual(
      new Set([container.ports[0]?.containerPort]),
    );
  });
});
