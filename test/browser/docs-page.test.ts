import { startService, type Service } from '../support/service.js';
import { pageAt } from './support/browser.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

it('the page at /docs draws every operation in a browser, under the policy that it is served with', async () => {
  const { body } = await service.get('/openapi.json');
  const paths = Object.keys(body.paths as object);
  const html = await pageAt(`${service.url}/docs`);

  expect(html).toContain('Flowgate');
  const drawn = new Set(Array.from(html.matchAll(/data-path="([^"]+)"/g), ([, path]) => path));
  expect([...drawn].toSorted()).toEqual(paths.toSorted());
});
