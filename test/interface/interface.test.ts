import { startService, type Service } from '../support/service.js';
import { Caller } from './support/caller.js';
import { PORTABLE, STANDALONE } from './topics.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

for (const { name, checks } of [...PORTABLE, ...STANDALONE]) {
  describe(name, () => {
    let caller: Caller;
    beforeAll(() => {
      caller = new Caller({ baseUrl: service.url });
    });

    for (const [sentence, check] of Object.entries(checks)) it(sentence, () => check(caller));
  });
}
