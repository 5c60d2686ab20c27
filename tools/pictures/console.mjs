// The console on screens of its own: a real Chromium looks at the built service. Ids and times in them are those of the day, so no test
// compares them: `npm run pictures -- --console` takes them again after a change of how the console looks.
import { Buffer } from 'node:buffer';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromium as programOfChromium } from '../browser/chromium.mjs';
import { withService } from '../java/service.mjs';

/** Of the device to one of the page: a picture stays sharp where a page enlarges it. */
const PIXELS = 1.5;
const MAX_BYTES = 60 * 1024;
const QUALITIES = [85, 75, 65, 55, 45];
const WITHIN_MS = 30_000;

const UNITS = [
  { id: 'receipt', uses: 'builtin.mock', config: { response: 'found' } },
  { id: 'customer', uses: 'builtin.mock', config: { response: 'known since 2019' } },
  {
    id: 'approve',
    uses: 'builtin.approval',
    config: {
      title: 'Pay ${{ input.amount }} € back to ${{ input.name }}?',
      description: 'The parcel arrived damaged.',
      payload: { order: '${{ input.order }}', amount: '${{ input.amount }}' },
      timeout: 'P2D',
    },
  },
  { id: 'pay', uses: 'builtin.mock', config: { response: 'paid' } },
  { id: 'notify', uses: 'builtin.mock', config: { response: 'sent' } },
];
const REFUND = workflow('refund', UNITS, {
  type: 'sequential',
  order: [{ type: 'parallel', units: ['receipt', 'customer'] }, 'approve', 'pay', 'notify'],
});
const REPORT = workflow('report', [{ id: 'collect', uses: 'builtin.mock' }], 'collect');
const IMPORT = workflow(
  'import',
  [{ id: 'read', uses: 'builtin.fail', config: { message: 'row 12 has no address' } }],
  'read',
);

/** Writes `console/<screen>.webp` into the folder. */
export async function takeScreens(folder) {
  mkdirSync(join(folder, 'console'), { recursive: true });
  await withService(async (address) => {
    const run = await haveRuns(address);
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const browser = await chromium.launch({ executablePath: programOfChromium(), args: sandbox });
    try {
      for (const { name, ...look } of screensOf(run))
        writeFileSync(join(folder, 'console', `${name}.webp`), await screen(browser, address, look));
    } finally {
      await browser.close();
    }
  });
}

/** What is looked at, in which size, and when all of it is there. */
function screensOf(run) {
  return [
    {
      name: 'approvals',
      path: 'approvals',
      size: { width: 960, height: 860 },
      isThere: (page) => page.getByText('The run completes.').waitFor(),
    },
    {
      name: 'run',
      path: `run?workflow=refund&run=${run}`,
      size: { width: 1024, height: 720 },
      async isThere(page) {
        await page.getByRole('button', { name: 'receipt' }).click();
        await page.getByText('found').first().waitFor();
      },
    },
    {
      name: 'runs',
      path: 'runs',
      size: { width: 960, height: 480 },
      isThere: (page) => page.getByRole('row', { name: 'import' }).waitFor(),
    },
  ];
}

/** Runs of every status. Gives the id of one that waits at its gate. */
async function haveRuns(address) {
  const post = async (path, body) => {
    const response = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    if (!response.ok)
      throw new Error(`${path} is answered with ${response.status}: ${await response.text()}`);
    return response.json();
  };
  for (const document of [REFUND, REPORT, IMPORT])
    await post('/workflows/from-yaml', { yaml: JSON.stringify(document) });
  const start = (id, input = {}) => post(`/workflows/${id}/runs`, { input, sync: true });
  await start('report');
  await start('import');
  const decided = await start('refund', { name: 'Grace Hopper', amount: 40, order: 'A-1063' });
  await post(`/workflows/refund/runs/${decided.runId}/hitl`, { approved: true, responder: 'ann' });
  await start('report');
  const { runId } = await start('refund', { name: 'Ada Lovelace', amount: 120, order: 'A-1071' });
  return runId;
}

async function screen(browser, address, { path, size, isThere }) {
  const context = await browser.newContext({
    viewport: size,
    deviceScaleFactor: PIXELS,
    colorScheme: 'light',
  });
  try {
    context.setDefaultTimeout(WITHIN_MS);
    const page = await context.newPage();
    await page.goto(`${address}/console/${path}`);
    await isThere(page);
    await page.evaluate('document.fonts.ready');
    const session = await context.newCDPSession(page);
    for (const quality of QUALITIES) {
      const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality });
      const bytes = Buffer.from(data, 'base64');
      if (bytes.length <= MAX_BYTES) return bytes;
    }
    throw new Error(`${path} takes more than ${MAX_BYTES} bytes at every quality: show less of it.`);
  } finally {
    await context.close();
  }
}

function workflow(id, units, flow) {
  return { apiVersion: 'flowgate/v1', kind: 'Workflow', metadata: { id }, spec: { units, flow } };
}
