import { bearer, bootstrap, EVERYTHING, keyBy } from '../support/first-key.js';
import { startService, type Service } from '../support/service.js';
import { Caller, type Address } from './support/caller.js';
import { PORTABLE, STANDALONE } from './topics.js';

interface Asked extends Omit<Address, 'baseUrl'> {
  readonly service: Service;
}

/** The same sentences, whoever is asking: by the key of an admin nobody notices that the service asks. */
const WAYS: readonly (readonly [string, () => Promise<Asked>])[] = [
  ['that asks nobody who they are', async () => ({ service: await startService() })],
  [
    'that asks, by the key of an admin',
    async () => {
      const { key, settings } = bootstrap();
      const service = await startService(settings);
      const owner = 'admin@example.com';
      const { secret } = await keyBy(service, key, { owner, grants: EVERYTHING });
      return { service, owner, headers: bearer(secret) };
    },
  ],
];

describe.each(WAYS)('a service %s', (_how, start) => {
  let asked: Asked;
  beforeAll(async () => {
    asked = await start();
  });
  afterAll(() => asked.service.close());

  describe.each([...PORTABLE, ...STANDALONE])('$name', ({ checks }) => {
    let caller: Caller;
    beforeAll(() => {
      const { service, ...who } = asked;
      caller = new Caller({ baseUrl: service.url, ...who });
    });

    it.each(Object.entries(checks))('%s', (_sentence, check) => check(caller));
  });
});
