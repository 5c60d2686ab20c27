// `npm run bench:access -- [STARTS]`: what it costs to ask who is asking, by a key, and to record what they do: the service on
// SQLite, three units, as it comes, with keys alone, and with keys and the audit; each is started anew so many times (9). Not measured: tokens, which are remembered as keys are.
import { createHash, randomBytes } from 'node:crypto';
import { compareAnew } from './support/compared-anew.ts';
import type { TimedWork } from './support/equal-terms.ts';
import { load, post } from './support/load.ts';
import { startFlowgate, type FlowgateService } from './support/our-services.ts';
import type { Scope } from './support/scope.ts';

const STARTS = Number(process.argv[2] ?? 9);
const [NOBODY, SAME, KEYS, AUDIT] = ['as it comes', 'the same again', 'keys', 'keys and audit'];

const { contenders } = await compareAnew({
  id: 'access',
  title: 'Starts over HTTP, on SQLite',
  operation: 'run',
  reference: NOBODY,
  contenders: {
    [NOBODY]: (scope) => loaded(startFlowgate(scope, 'sqlite')),
    // What its ratio says is the machine's.
    [SAME]: (scope) => loaded(startFlowgate(scope, 'sqlite')),
    [KEYS]: (scope) => loaded(withKeys(scope, false)),
    [AUDIT]: (scope) => loaded(withKeys(scope, true)),
  },
  starts: STARTS,
});
for (const { name, perSecond, cpuMicros, throughputRatio, cpuRatio } of contenders) {
  const ratio = (figure: typeof cpuRatio): string =>
    figure === null ? '-' : `${figure.median} (${figure.spread.join(' to ')})`;
  console.log(
    `${name.padEnd(16)} ${perSecond.median} runs/s, ${cpuMicros?.median ?? '-'} µs CPU; throughput ${ratio(throughputRatio)}, CPU ${ratio(cpuRatio)}`,
  );
}

async function loaded(starting: Promise<FlowgateService>): Promise<TimedWork> {
  const service = await starting;
  return (seconds) => load(service, seconds);
}

function withKeys(scope: Scope, audit: boolean): Promise<FlowgateService> {
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
