import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { startService, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';
import { openConsole, startBrowser, type ConsolePage } from '../support/console-page.js';

const BOOTSTRAP = 'made-up-secret-of-at-least-forty-characters';
const SETTINGS = {
  FLOWGATE_AUTH: 'keys',
  FLOWGATE_BOOTSTRAP_KEY_SHA256: createHash('sha256').update(BOOTSTRAP).digest('hex'),
};

let browser: Browser;
let service: Service;
let admin: string;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  service = await startService(SETTINGS);
  admin = (await makeKey(BOOTSTRAP, 'root@example.com', [{ namespace: '*', roles: ['admin'] }])).secret;
  await as(admin, 'POST', '/workflows/from-yaml', { yaml: document('gated', [gate('agree'), mock('b')]) });
  await as(admin, 'POST', '/workflows/gated/runs', { sync: true });
});
afterEach(() => service.close());

const as = (secret: string, method: string, path: string, body?: object) =>
  service.call(method, path, { body, headers: { authorization: `Bearer ${secret}` } });

async function makeKey(
  by: string,
  owner: string,
  grants: readonly object[],
): Promise<{ readonly secret: string; readonly id: string }> {
  const { body, status, text } = await as(by, 'POST', '/keys', { owner, name: owner, grants });
  if (status !== 201) throw new Error(text);
  return { secret: body.secret, id: body.key.id };
}

async function signIn({ page }: ConsolePage, secret: string): Promise<void> {
  await page.getByLabel('API key').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('where the service asks for a key', () => {
  it('nothing is shown before one is given; then one decides as its owner', async () => {
    const { secret } = await makeKey(admin, 'grace@example.com', [
      { namespace: 'default', roles: ['approver'] },
    ]);
    const opened = await openConsole(browser, `${service.url}/console/approvals`);
    const { page } = opened;
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signIn(opened, secret);
    await page.getByRole('article').waitFor();
    expect(await page.getByLabel('Your name').count()).toBe(0);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Approved').waitFor();
    const { decision } = (await as(admin, 'GET', '/gates?status=decided')).body.items[0];
    expect(decision.responder).toBe('grace@example.com');
    // It is in the storage of the tab alone.
    expect(await page.evaluate('JSON.stringify({ ...localStorage }) + document.cookie')).not.toContain(
      secret,
    );
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  it('what one may not do names the permission', async () => {
    const { secret } = await makeKey(admin, 'eve@example.com', [{ namespace: 'default', roles: ['viewer'] }]);
    const opened = await openConsole(browser, `${service.url}/console/approvals`);
    await signIn(opened, secret);
    const approve = opened.page.getByRole('button', {
      name: 'Approve (This needs the permission gate:decide.)',
    });
    await approve.waitFor();
    expect(await approve.isDisabled()).toBe(true);
    expect(await opened.violations()).toEqual([]);
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  it('whoever may decide, and not read runs, decides by a link all the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'flowgate-access-'));
    try {
      const accessFile = join(folder, 'access.json');
      await writeFile(
        accessFile,
        JSON.stringify({ roles: { decider: ['gate:read', 'gate:decide'] }, grants: [] }),
      );
      await service.close();
      service = await startService({ ...SETTINGS, FLOWGATE_ACCESS_FILE: accessFile });
      const root = await makeKey(BOOTSTRAP, 'root@example.com', [{ namespace: '*', roles: ['admin'] }]);
      admin = root.secret;
      await as(admin, 'POST', '/workflows/from-yaml', { yaml: document('gated', [gate('agree')]) });
      const { runId } = (await as(admin, 'POST', '/workflows/gated/runs', { sync: true })).body;
      const [{ gateId }] = (await as(admin, 'GET', '/gates')).body.items;
      const { secret } = await makeKey(admin, 'grace@example.com', [
        { namespace: 'default', roles: ['decider'] },
      ]);
      const link = `${service.url}/console/approvals?workflow=gated&run=${runId}&gate=${gateId}`;
      const opened = await openConsole(browser, link, { expected: /403/ });
      await signIn(opened, secret);
      await opened.page.getByRole('button', { name: 'Approve' }).click();
      await opened.page.getByText('by grace@example.com').waitFor();
      expect(opened.faults).toEqual([]);
      await opened.close();
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('a key that is revoked, or mistyped, is asked for again where one is', async () => {
    const { secret, id } = await makeKey(admin, 'grace@example.com', [
      { namespace: 'default', roles: ['viewer'] },
    ]);
    const opened = await openConsole(browser, `${service.url}/console/runs?status=paused`, {
      expected: /401/,
    });
    const { page } = opened;
    await signIn(opened, 'fgk_wrong');
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    expect(await opened.violations()).toEqual([]);
    await signIn(opened, secret);
    await page.getByRole('row', { name: /gated/ }).waitFor();
    expect((await as(admin, 'DELETE', `/keys/${id}`)).status).toBe(204);
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor({ timeout: 40_000 });
    await signIn(opened, admin);
    await page.getByRole('row', { name: /gated/ }).waitFor();
    expect(page.url()).toContain('/console/runs?status=paused');
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  it('a namespace is chosen among those that are granted, and is in the address', async () => {
    await as(admin, 'POST', '/workflows/from-yaml', { yaml: document('only-default', [mock('a')]) });
    const grants = ['billing', 'default'].map((namespace) => ({ namespace, roles: ['viewer'] }));
    const { secret } = await makeKey(admin, 'ada@example.com', grants);
    const opened = await openConsole(browser, `${service.url}/console/workflows?ns=default`);
    const { page } = opened;
    await signIn(opened, secret);
    await page.getByText('only-default').waitFor();
    await page.getByLabel('Namespace').selectOption('billing');
    await page.waitForURL(/workflows\?ns=billing/);
    await page.getByText('No workflow is registered').waitFor();
    expect(await opened.violations()).toEqual([]);
    expect(opened.faults).toEqual([]);
    await opened.close();
  });

  it('nothing of one namespace is shown in another, and the way back leads into the one before', async () => {
    const runs = Array.from({ length: 60 }, () => ({}));
    await as(admin, 'POST', '/workflows/gated/runs/batch', { runs });
    const grants = ['billing', 'default'].map((namespace) => ({ namespace, roles: ['viewer', 'approver'] }));
    const { secret } = await makeKey(admin, 'ada@example.com', grants);
    const opened = await openConsole(browser, `${service.url}/console/runs?ns=default`);
    const { page } = opened;
    const namespace = page.getByLabel('Namespace');
    await signIn(opened, secret);
    await page.getByRole('button', { name: 'Older runs' }).click();
    await page.getByRole('row').nth(60).waitFor();
    await page.getByRole('checkbox', { name: 'Choose all that are shown' }).check();
    await namespace.selectOption('billing');
    await page.getByText('No runs here').waitFor();
    expect(await page.getByText(/ chosen/).count()).toBe(0);

    await namespace.selectOption('default');
    await page.getByRole('link', { name: 'Approvals' }).click();
    await page.getByRole('article').first().waitFor();
    await namespace.selectOption('billing');
    await page.getByText('Nothing waits for a decision').waitFor();
    expect(await page.getByRole('article').count()).toBe(0);

    await page.goBack();
    await page.waitForURL(/runs\?ns=default/);
    await page.getByRole('row', { name: /gated/ }).first().waitFor();
    expect(await namespace.inputValue()).toBe('default');
    expect(opened.faults).toEqual([]);
    await opened.close();
  });
});
