import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/service/read-config.js';
import { readComposeFile } from '../image/support/compose-file.js';
import { readImagePlan } from '../image/support/image-plan.js';
import { startService, type Service } from '../support/service.js';
import { blocksOf, readPage, sectionOf } from './support/page-blocks.js';

/** What the page says a shutdown takes beyond the grace. */
const BEYOND_GRACE_MS = 5_000;
/** What the readiness waits for the store. */
const STORE_ANSWERS_WITHIN_MS = 2_000;

const page = readPage('docs/operate.md');
const plan = readImagePlan();
const compose = readComposeFile().services.flowgate;
const blockOf = (heading: string, kind: string) =>
  blocksOf(sectionOf(page, `## ${heading}`))
    .filter((block) => block.kind === kind)
    .map(({ text }) => text);

/** What the settings of a snippet make of the service; a setting that it does not know fails. */
function configOf(environment: Readonly<Record<string, string>>) {
  const { config, warnings } = readConfig(environment);
  expect(warnings).toEqual([]);
  return config;
}

describe('the container of docs/operate.md', () => {
  const run = blockOf('As a container', 'sh').find((text) => text.includes('docker run --detach')) ?? '';
  const valueOf = (flag: string) => new RegExp(`${flag} (\\S+)`).exec(run)?.[1];

  it('is run as compose.yaml runs it', () => {
    expect(compose.ports).toEqual([valueOf('--publish')]);
    expect(compose.volumes).toEqual([valueOf('--volume')]);
    expect(compose.tmpfs).toEqual([valueOf('--tmpfs')]);
    expect(compose.cap_drop).toEqual([valueOf('--cap-drop')]);
    expect(compose.stop_grace_period).toBe(`${valueOf('--stop-timeout')}s`);
    expect([compose.init, compose.read_only]).toEqual([run.includes('--init'), run.includes('--read-only')]);
  });

  it('belongs to the user of the image, who owns the folder that the page says', () => {
    expect(sectionOf(page, '## As a container')).toContain(
      `the user \`${plan.user}\` (1000), who owns\n\`/data\``,
    );
    expect(plan.volumes).toEqual(['/data']);
  });

  it('has the command line where the page says', () => {
    const [command] = blockOf('As a container', 'sh').filter((text) => text.includes('--rm'));
    expect(command).toBe('docker run --rm flowgate node dist/cli/flowgate.js --help');
  });
});

describe('the unit of systemd', () => {
  const [unit = ''] = blockOf('Under systemd', 'ini');
  const valuesOf = (key: string) =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const environment = Object.fromEntries(
    valuesOf('Environment').map((pair) => [pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1)]),
  );

  it('has settings that the service knows, and stops it no sooner than it has ended', () => {
    const { dataDir, secretsDir, shutdownGraceMs } = configOf(environment);
    expect(dataDir).toBe(`/var/lib/${valuesOf('StateDirectory')[0]}`);
    expect(secretsDir).toBe('%d');
    expect(Number(valuesOf('TimeoutStopSec')[0]) * 1_000).toBeGreaterThan(shutdownGraceMs + BEYOND_GRACE_MS);
  });

  const canVerify = spawnSync('systemd-analyze', ['--version']).status === 0;
  (canVerify ? it : it.skip)('is one that systemd understands', () => {
    const folder = mkdtempSync(join(tmpdir(), 'flowgate-systemd-'));
    const file = join(folder, 'flowgate.service');
    writeFileSync(file, unit.replace('/usr/bin/node', process.execPath));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect([status, stderr.split('\n').filter((line) => line.includes('flowgate.service'))]).toEqual([0, []]);
  });
});

interface Probe {
  readonly httpGet: {
    readonly path: string;
    readonly port: number;
    readonly httpHeaders: readonly { readonly name: string; readonly value: string }[];
  };
  readonly timeoutSeconds?: number;
}

interface StatefulSet {
  readonly kind: string;
  readonly spec: {
    readonly replicas: number;
    readonly template: {
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly securityContext: Readonly<Record<string, unknown>>;
        readonly containers: readonly {
          readonly ports: readonly { readonly containerPort: number }[];
          readonly env: readonly { readonly name: string; readonly value: string }[];
          readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
          readonly startupProbe: Probe;
          readonly livenessProbe: Probe;
          readonly readinessProbe: Probe;
        }[];
        readonly volumes: readonly { readonly name: string }[];
      };
    };
    readonly volumeClaimTemplates: readonly { readonly metadata: { readonly name: string } }[];
  };
}

describe('the manifest of Kubernetes', () => {
  const set = parse(blockOf('On Kubernetes', 'yaml')[0] ?? '') as StatefulSet;
  const { spec } = set.spec.template;
  const container = spec.containers[0]!;
  const { startupProbe, livenessProbe, readinessProbe } = container;
  const probes = [startupProbe, livenessProbe, readinessProbe];
  const environment = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  const config = configOf({ ...plan.environment, ...environment });

  it('is one process that is let end before it is killed', () => {
    expect([set.kind, set.spec.replicas]).toEqual(['StatefulSet', 1]);
    expect(spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(
      config.shutdownGraceMs + BEYOND_GRACE_MS,
    );
  });

  it('mounts what the settings name, and nothing that is not declared', () => {
    const paths = Object.fromEntries(container.volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
    expect(paths).toEqual({ data: plan.volumes[0], tmp: '/tmp', secrets: config.secretsDir });
    const declared = [...spec.volumes, ...set.spec.volumeClaimTemplates.map(({ metadata }) => metadata)];
    expect(Object.keys(paths).toSorted()).toEqual(declared.map(({ name }) => name).toSorted());
  });

  it('asks whether it lives apart from whether it takes work, and waits longer than the answer takes', () => {
    expect(probes.map(({ httpGet }) => httpGet.path)).toEqual([
      '/health/live',
      '/health/live',
      '/health/ready',
    ]);
    expect(new Set([...probes.map(({ httpGet }) => httpGet.port), plan.port])).toEqual(
      new Set([container.ports[0]?.containerPort]),
    );
    expect((readinessProbe.timeoutSeconds ?? 1) * 1_000).toBeGreaterThan(STORE_ANSWERS_WITHIN_MS);
  });

  describe('where names of the service are given', () => {
    let service: Service;
    beforeAll(async () => {
      service = await startService({ FLOWGATE_ALLOWED_HOSTS: 'flow.example.com' });
    });
    afterAll(() => service.close());

    it.each(probes)(
      'has a probe of $httpGet.path that is served, as it would not be by an address',
      async ({ httpGet }) => {
        const headers = Object.fromEntries(
          httpGet.httpHeaders.map(({ name, value }) => [name.toLowerCase(), value]),
        );
        expect((await service.call('GET', httpGet.path, { headers })).status).toBe(200);
        expect((await service.call('GET', httpGet.path, { headers: { host: '10.0.0.7:8787' } })).status).toBe(
          403,
        );
      },
    );
  });
});

describe('the key of docs/operate.md', () => {
  const [command = ''] = blockOf('Encryption at rest', 'sh');
  const { status, stdout } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });

  (status === 0 ? it : it.skip)('is one that the service takes', () => {
    expect(configOf({ FLOWGATE_ENCRYPTION_KEY: stdout.trim() }).encryptionKey).toBe(stdout.trim());
  });
});
