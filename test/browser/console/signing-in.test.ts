import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startService, type Body, type Service } from '../../support/service.js';
import { document, gate, mock } from '../../support/workflow-documents.js';
import { openConsole, startBrowser, type ConsolePage, type Opening } from '../support/console-page.js';
import { CLIENT_ID, SignInIssuer } from '../support/sign-in-issuer.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
/** What a browser says of an answer that a page may not read, or of a service that refuses a token. */
const REFUSED = /CORS|Failed to load resource|ERR_/;

let browser: Browser;
let folder: string;
let issuer: SignInIssuer;
let service: Service;
let runId: string;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flowgate-signing-in-'));
  const roles = ['operator', 'author', 'approver'];
  const grants = [{ to: { owner: 'alice' }, namespace: 'default', roles }];
  await writeFile(join(folder, 'access.json'), JSON.stringify({ grants }));
  issuer = await new SignInIssuer().start();
  service = await startService({
    FLOWGATE_AUTH: 'oidc',
    FLOWGATE_OIDC_ISSUER: issuer.url,
    FLOWGATE_OIDC_AUDIENCE: 'flowgate',
    FLOWGATE_OIDC_CONSOLE_CLIENT_ID: CLIENT_ID,
    FLOWGATE_ACCESS_FILE: join(folder, 'access.json'),
  });
  const asked = { title: 'Pay?', payload: { to: 'Ada' } };
  const yaml = document('gated', [mock('a'), gate('agree', asked), mock('pay')]);
  await asAlice('POST', '/workflows/from-yaml', { yaml });
  ({ runId } = await asAlice('POST', '/workflows/gated/runs', { sync: true }));
});
afterEach(async () => {
  await service.close();
  await issuer.stop();
  await rm(folder, { recursive: true });
});

async function asAlice(method: string, path: string, body?: object): Promise<Body> {
  const headers = { authorization: `Bearer ${await issuer.tokenOfAlice()}` };
  return (await service.call(method, path, { body, headers })).body;
}
const open = (address: string, more: Opening = {}): Promise<ConsolePage> =>
  openConsole(browser, `${service.url}/console/${address}`, { provider: issuer.url, ...more });
const signIn = (page: Page): Promise<void> => page.getByRole('button', { name: 'Sign in with' }).click();
const stored = (page: Page): Promise<string> => page.evaluate('JSON.stringify({ ...sessionStorage })');

it('an approver opens a link on a phone, signs in with the provider, and decides by touch as who they are', async () => {
  const { gateId } = (await asAlice('GET', '/gates')).items[0];
  const { page, faults, violations, close } = await open(
    `approvals?workflow=gated&run=${runId}&gate=${gateId}`,
    PHONE,
  );
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await violations()).toEqual([]);
  await page.getByRole('button', { name: 'Sign in with' }).tap();

  await page.getByText('pay builtin.mock').waitFor();
  expect(page.url()).toBe(`${service.url}/console/approvals?workflow=gated&run=${runId}&gate=${gateId}`);
  expect(issuer.scopes).toEqual(['openid']);
  expect(await page.getByLabel('Your name').count()).toBe(0);
  await page.getByRole('button', { name: 'Approve' }).tap();
  await page.getByText('by alice').waitFor();
  const [{ decision }] = (await asAlice('GET', '/gates?status=decided')).items;
  expect(decision).toMatchObject({ approved: true, responder: 'alice' });

  // Of the sign-in nothing is left but the token, in this tab.
  expect(Object.keys(JSON.parse(await stored(page)))).toEqual(['flowgate.key']);
  expect(await page.evaluate('JSON.stringify({ ...localStorage }) + document.cookie')).not.toContain('eyJ');
  expect(faults).toEqual([]);
  await close();
});

it('a token that expires is replaced by another one, and what is shown and typed stays as it is', async () => {
  issuer.lifetimeSeconds = 4;
  const { page, faults, close } = await open('approvals', { expected: REFUSED });
  await signIn(page);
  await page.getByLabel('Comment').fill('Seen the photo.');
  const first = await stored(page);
  // The bar asks every ten seconds, and the stream goes on: each with the token of then.
  while (issuer.granted.refresh_token < 3) await page.waitForTimeout(250);
  expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);
  expect(await stored(page)).not.toBe(first);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('by alice').waitFor();
  const [{ decision }] = (await asAlice('GET', '/gates?status=decided')).items;
  expect(decision.comment).toBe('Seen the photo.');
  expect(issuer.granted.authorization_code).toBe(1);
  expect(faults).toEqual([]);
  await close();
});

it('without another token one signs in again, in place of nothing that was shown or typed', async () => {
  issuer.lifetimeSeconds = 4;
  issuer.givesRefreshTokens = false;
  const { page, faults, violations, close } = await open('approvals?tab=open', { expected: REFUSED });
  await signIn(page);
  await page.getByLabel('Comment').fill('Seen the photo.');
  const again = page.getByRole('dialog', { name: 'Sign in again' });
  await again.waitFor();
  expect(await violations()).toEqual([]);
  expect(await page.getByRole('article').count()).toBe(1);

  // Put off, it is a bar, and nothing can be changed.
  await page.keyboard.press('Escape');
  await page.getByText('What you see is as it was.').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
  issuer.lifetimeSeconds = 300;
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await signIn(page);
  await page.getByRole('article').waitFor();
  expect(page.url()).toContain('/console/approvals?tab=open');
  expect(await page.getByLabel('Comment').inputValue()).toBe('Seen the photo.');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('by alice').waitFor();
  expect(faults).toEqual([]);
  await close();
});

describe('an answer is not used, and the code of it sent to nobody,', () => {
  it('that this tab did not ask for', async () => {
    const { page, faults, close } = await open(`signed-in?code=stolen&state=made-up&iss=${issuer.url}`);
    await page.getByText('This sign-in was not begun in this tab').waitFor();
    expect(page.url()).toBe(`${service.url}/console/`);
    expect(issuer.granted.authorization_code).toBe(0);
    expect(issuer.requests.filter((path) => path.endsWith('/token'))).toEqual([]);
    expect(faults).toEqual([]);
    await close();
  });

  it('that has the state of another sign-in', async () => {
    const { page, faults, close } = await open('runs');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const [begun] = await Promise.all([
      page.waitForRequest(/\/authorize\?/),
      page.route(/\/authorize\?/, (route) => route.abort()).then(() => signIn(page)),
    ]);
    expect(new URL(begun.url()).searchParams.get('code_challenge_method')).toBe('S256');
    await page.goto(`${service.url}/console/signed-in?code=stolen&state=made-up&iss=${issuer.url}`);
    await page.getByText('its state is another one').waitFor();
    expect(page.url()).toBe(`${service.url}/console/runs`);
    expect(issuer.requests.filter((path) => path.endsWith('/token'))).toEqual([]);
    expect(faults.filter((fault) => !/ERR_FAILED/.test(fault))).toEqual([]);
    await close();
  });

  it('that was used before', async () => {
    const { page, faults, close } = await open('runs');
    await signIn(page);
    await page.getByRole('row', { name: /gated/ }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(issuer.sentBack[0] ?? '');
    await page.getByText('its address was used before').waitFor();
    expect(issuer.granted.authorization_code).toBe(1);
    expect(faults).toEqual([]);
    await close();
  });

  it('that is of another provider', async () => {
    issuer.namedIssuer = 'https://elsewhere.example.com';
    const { page, faults, close } = await open('runs');
    await signIn(page);
    await page.getByText(`This answer is not one of ${issuer.url}`).waitFor();
    expect(issuer.granted.authorization_code).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });
});

describe('why nobody is signed in is a sentence, and a token can be pasted instead:', () => {
  it.each([
    [
      'the provider lets no page read its answer',
      { allowsPages: false },
      'does not let this page read its answer',
    ],
    ['the provider is gone', { leavesThen: true }, 'does not answer'],
    ['access is denied', { refusal: 'access_denied' }, 'did not let you in, or you said no'],
  ])('%s', async (_why, how, said) => {
    Object.assign(issuer, how);
    const { page, faults, violations, close } = await open('runs', { expected: REFUSED });
    await signIn(page);
    await page.getByText(said).waitFor();
    expect(page.url()).toBe(`${service.url}/console/runs`);
    expect(await violations()).toEqual([]);
    await page.getByLabel('Access token').fill(await issuer.tokenOfAlice());
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('row', { name: /gated/ }).waitFor();
    expect(await page.getByText(said).count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });
});
