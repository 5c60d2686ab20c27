// `npm run bench:access -- [ROUNDS] [SECONDS]`: what it costs to ask who is asking, by a key, and to record what they do: hosts on SQLite,
// three units, as it comes, with keys alone, and with keys and the audit. All are hosts of one process: two processes of one program
// differ by more than what is measured. Not measured: tokens, which are remembered as keys are.
import { createHash, randomBytes } from 'node:crypto';
import { hold } from './support/contest.ts';
import { load, post, type Target } from './support/load.ts';
import { threeWith } from './support/our-services.ts';
import { scoped } from './support/scope.ts';
import { freePort, startService } from './support/service.ts';

const ROUNDS = Number(process.argv[2] ?? 60);
const SECONDS = Number(process.argv[3] ?? 0.7);
const WARM_UP_SECONDS = 4;
/** The second shows how far figures of the same work are apart. */
const [NOBODY, SAME, KEYS, AUDIT] = ['as it comes', 'the same again', 'keys', 'keys and audit'];

await scoped(async (scope) => {
  const bootstrap = randomBytes(32).toString('base64url');
  const ports = [await freePort(), await freePort(), await freePort()];
  const { url, pid } = await scope.use(
    startService('bench/services/guarded-hosts.ts', {
      BENCH_FOLDER: scope.folder(),
      BENCH_PORTS: ports.join(' '),
      BENCH_KEY_SHA256: createHash('sha256').update(bootstrap).digest('hex'),
    }),
  );
  const [again, keys, audited] = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string, string];
  const target = async (host: string, isGuarded: boolean): Promise<Target> => {
    const root = `${host}/flowgate`;
    const headers = isGuarded ? await keyOf(root, bootstrap) : {};
    return { ...(await threeWith(root, headers)), pids: [pid] };
  };
  const targets = {
    [NOBODY]: await target(url, false),
    [SAME]: await target(again, false),
    [KEYS]: await target(keys, true),
    [AUDIT]: await target(audited, true),
  };
  for (const each of Object.values(targets)) await load(each, WARM_UP_SECONDS);
  const { contenders } = await hold({
    id: 'access',
    title: 'Starts over HTTP, on SQLite',
    operation: 'run',
    reference: NOBODY,
    contenders: Object.fromEntries(
      Object.entries(targets).map(([name, each]) => [name, () => load(each, SECONDS)]),
    ),
    rounds: ROUNDS,
  });
  for (const { name, perSecond, cpuMicros, throughputRatio, cpuRatio } of contenders) {
    const ratio = (figure: typeof cpuRatio): string =>
      figure === null ? '-' : `${figure.median} (${figure.spread.join(' to ')})`;
    console.log(
      `${name.padEnd(16)} ${perSecond.median} runs/s, ${cpuMicros?.median ?? '-'} µs CPU; throughput ${ratio(throughputRatio)}, CPU ${ratio(cpuRatio)}`,
    );
  }
});

/** The headers of an administrator. */
async function keyOf(root: string, bootstrap: string): Promise<Readonly<Record<string, string>>> {
  const grants = [{ namespace: '*', roles: ['admin'] }];
  const by = { authorization: `Bearer ${bootstrap}` };
  const made = await post(`${root}/keys`, { owner: 'bench@example.com', grants }, by);
  return { authorization: `Bearer ${(made as { readonly secret: string }).secret}` };
}
