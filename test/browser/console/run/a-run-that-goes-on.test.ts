import { once } from 'node:events';
import { createServer, request as onward } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { temporaryFolder } from '../../../support/data-folder.js';
import { builtWorkers } from '../../../support/built-worker.js';
import { startService, type Service } from '../../../support/service.js';
import { startUnitServer } from '../../../support/unit-server.js';
import { SqliteRunStore } from '../../../../src/storage/sqlite/sqlite-run-store.js';
import { bound, document, gate, mock, remote } from '../../../support/workflow-documents.js';
import { openConsole, startBrowser } from '../../support/console-page.js';

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

/** An address that stays, in front of a service that does not. */
async function startDoor() {
  let port: number | null = null;
  const server = createServer((request, response) => {
    const sent = onward(
      {
        host: '127.0.0.1',
        port: port ?? 0,
        method: request.method,
        path: request.url,
        headers: request.headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.on('error', () => response.destroy());
        answer.on('aborted', () => response.destroy());
        answer.pipe(response);
      },
    );
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    request.pipe(sent);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (service: Service | null) => (port = service === null ? null : Number(new URL(service.url).port)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

it('the graph fills in while the run goes on', async () => {
  const service = await startService();
  const held: (() => void)[] = [];
  const units = await startUnitServer(
    (_request, response) =>
      new Promise((resolve) => {
        held.push(() => {
          response.setHeader('content-type', 'application/json').end('{"output":"charged"}');
          resolve();
        });
      }),
  );
  const order = { type: 'sequential', order: ['check', 'charge', 'ask', 'ship'] };
  const yaml = document('live', [mock('check'), remote('charge'), gate('ask'), mock('ship')], {
    flow: order,
  });
  await service.register(yaml, bound('charge', `${units.url}/charge`));
  const { runId } = await service.start('live', {});
  const { page, faults, close } = await openConsole(
    browser,
    `${service.url}/console/run?workflow=live&run=${runId}`,
  );
  await page.getByRole('button', { name: 'charge running' }).waitFor();
  await page.getByRole('button', { name: 'ask pending' }).waitFor();
  await page.getByText(/charge is being called/).waitFor();

  await units.received(1);
  held.shift()?.();
  await page.getByRole('button', { name: 'charge completed' }).waitFor();
  await page.getByRole('button', { name: 'ask at a gate' }).waitFor();
  await page.getByText('ask waits for a decision').waitFor();

  await service.post(`/workflows/live/runs/${runId}/hitl`, { approved: true, responder: 'ann' });
  await page.getByRole('button', { name: 'ship completed' }).waitFor();
  await page.getByText(/It completed in/).waitFor();
  expect(faults).toEqual([]);
  await close();
  await units.close();
  await service.close();
});

it('a service that is gone and comes back is followed on from where it was', async () => {
  const folder = await temporaryFolder();
  const start = (): Promise<Service> =>
    startService(
      { FLOWGATE_REGISTRY: 'durable' },
      { store: new SqliteRunStore({ folder: folder.path, workers: builtWorkers }) },
    );
  const door = await startDoor();
  let service = await start();
  door.leadTo(service);
  await service.register(document('kept', [mock('check'), gate('ask'), mock('ship')]));
  const { runId } = await service.start('kept');
  const { page, faults, close } = await openConsole(
    browser,
    `${door.url}/console/run?workflow=kept&run=${runId}`,
    {
      expected: /Failed to load resource|net::ERR/,
    },
  );
  await page.getByRole('button', { name: 'ask at a gate' }).waitFor();
  const pause = page.getByRole('button', { name: 'Pause' });
  await pause.focus();

  door.leadTo(null);
  await service.close();
  await page
    .getByText(/has not answered|does not answer|cannot be reached|gone since|no answer/i)
    .first()
    .waitFor();
  expect(await page.getByRole('button', { name: 'ask at a gate' }).isVisible()).toBe(true);
  expect(await pause.isDisabled()).toBe(true);
  // It keeps the focus, and does nothing.
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.method()));
  await pause.and(page.locator(':focus')).press('Enter');
  await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
  expect(asked).not.toContain('POST');

  service = await start();
  door.leadTo(service);
  await service.post(`/workflows/kept/runs/${runId}/hitl`, { approved: true, responder: 'ann' });
  await page.getByRole('button', { name: 'ship completed' }).waitFor();
  await page.getByText(/It completed/).waitFor();
  expect(faults).toEqual([]);
  await close();
  await door.close();
  await service.close();
  await folder.remove();
});

it('a run that could not be read is read once again, however often that is asked for', async () => {
  const service = await startService();
  await service.register(document('plain', [mock('check')]));
  const { runId } = await service.start('plain', { sync: true });
  const { page, faults, close } = await openConsole(browser, `${service.url}/console/runs`, {
    expected: /Failed to load resource|net::ERR/,
  });
  const ofRun = new RegExp(`/runs/${runId}\\?`);
  await page.route(ofRun, (route) => route.abort());
  await page.goto(`${service.url}/console/run?workflow=plain&run=${runId}`);
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  await page.unroute(ofRun);
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().includes('tail=1')) asked++;
  });
  await again.evaluate((button: { click(): void }) => (button.click(), button.click()));
  await page.getByText(/It completed/).waitFor();
  expect(asked).toBe(1);
  expect(faults).toEqual([]);
  await close();
  await service.close();
});
