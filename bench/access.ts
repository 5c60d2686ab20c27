// `npm run bench:access -- [ROUNDS] [SECONDS]`: what it costs to ask who is asking, by a key, and to record what they do: the service on
// SQLite, three units, as it comes, with keys alone, and with keys and the audit. Not measured: tokens, which are remembered as keys are.
import { createHash, randomBytes } from 'node:crypto';
import { hold } from './support/contest.ts';
import { load, post } from './support/load.ts';
import { startFlowgate } from './support/our-services.ts';
import { scoped, type Scope } from './support/scope.ts';

const ROUNDS = Number(process.argv[2] ?? 9);
const SECONDS = Number(process.argv[3] ?? 4);
const WARM_UP_SECONDS = 5;
const [NOBODY, KEYS, AUDIT] = ['as it comes', 'keys', 'keys and audit'];

await scoped(async (scope) => {
  const services = {
    [NOBODY]: await startFlowgate(scope, 'sqlite'),
    [KEYS]: await withKeys(scope, false),
    [AUDIT]: await withKeys(scope, true),
  };
  for (const service of Object.values(services)) await load(service, WARM_UP_SECONDS);
  const { contenders } = await hold({
    id: 'access',
    title: 'Starts over HTTP, on SQLite',
    operation: 'run',
    reference: NOBODY,
    contenders: Object.fromEntries(
      Object.entries(services).map(([name, service]) => [name, () => load(service, SECONDS)]),
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

function withKeys(scope: Scope, audit: boolean) {
  const bootstrap = randomBytes(32).toString('base64url');
  return startFlowgate(scope, 'sqlite', {
    settings: {
      FLOWGATE_AUTH: 'keys',
      FLOWGATE_AUDIT: String(audit),
      FLOWGATE_BOOTSTRAP_KEY_SHA256: createHash('sha256').update(bootstrap).digest('hex'),
    },
    identify: async (root) => {
      const grants = [{ namespace: '*', roles: ['admin'] }];
      const made = await post(
        `${root}/keys`,
        { owner: 'bench@example.com', grants },
        { authorization: `Bearer ${bootstrap}` },
      );
      return { authorization: `Bearer ${(made as { readonly secret: string }).secret}` };
    },
  });
}
