import { sendRaw } from '../../support/raw-request.js';
import { eventually } from '../../support/eventually.js';
import { startService, type Service } from '../../support/service.js';
import { document, mock } from '../../support/workflow-documents.js';

/** As much as counts of an answer. */
interface Said {
  readonly status: number;
  readonly body: unknown;
}

const MIB = 1024 * 1024;

/** What cannot be shown as one request: how to bring it about, by what the page calls it. */
export const situations = new Map<string, (service: Service) => Promise<Said>>([
  [
    'a body of more than 8 MiB',
    (service: Service) => service.post('/workflows/ping/runs', Buffer.alloc(8 * MIB + 1, ' ')),
  ],
  [
    'an address and headers of more than 16 KiB',
    (service: Service) => service.call('GET', '/health', { headers: { 'x-long': 'x'.repeat(16 * 1024) } }),
  ],
  ['what is no HTTP', (service: Service) => sendRaw(service.url, 'what is this\r\n\r\n')],
  [
    'a start while the service shuts down',
    () => whileShuttingDown((service) => service.post('/workflows/slow/runs', {})),
  ],
  ...['/health', '/health/ready', '/health/live'].map((path): [string, () => Promise<Said>] => [
    `\`${path}\` while the service shuts down`,
    () => whileShuttingDown((service) => service.get(path)),
  ]),
  ['the slowest of too many bodies that arrive at once', slowestUpload],
]);

/** A unit that does not answer keeps it from ending at once. */
async function whileShuttingDown(ask: (service: Service) => Promise<Said>): Promise<Said> {
  const service = await startService({ FLOWGATE_SHUTDOWN_GRACE_MS: '500' });
  await service.register(document('slow', [mock('a', 1, { config: { delayMs: 100_000 } })]));
  await service.start('slow', {});
  const closed = service.close();
  try {
    await eventually(
      () => service.get('/health'),
      ({ status }) => status === 503,
    );
    return await ask(service);
  } finally {
    await closed;
  }
}

/** Both are of nearly what the service holds of all; the first one came first and sends nothing more. */
async function slowestUpload(): Promise<Said> {
  const service = await startService({
    FLOWGATE_MAX_BODY_BYTES: String(MIB),
    FLOWGATE_MAX_UPLOAD_BYTES: String(MIB),
  });
  try {
    const head = `POST /workflows/x/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${MIB}\r\n\r\n`;
    await service.register(document('x', [mock('a')]));
    const answers = [0, 1].map(() => sendRaw(service.url, head + ' '.repeat(900 * 1024)));
    return await Promise.race(answers);
  } finally {
    await service.close();
  }
}
