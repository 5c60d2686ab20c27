import { startService, type Service } from '../support/service.js';
import { Caller } from './support/caller.js';
import { PORTABLE, STANDALONE } from './topics.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe.each([...PORTABLE, ...STANDALONE])('$name', ({ checks }) => {
  let caller: Caller;
  beforeAll(() => {
    caller = new Caller({ baseUrl: service.url });
  });

  it.each(Object.entries(checks))('%s', (_sentence, check) => check(caller));
});
