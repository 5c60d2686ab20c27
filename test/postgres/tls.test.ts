import { createEngine } from '../../src/engine/index.js';
import { StoreError } from '../../src/errors/service-errors.js';
import { postgres } from '../../src/postgres.js';
import { startPostgres, type PostgresServer } from '../../tools/postgres/server.mjs';
import { inSequence } from '../support/engine.js';
import { makeCertificate, type Certificate } from './support/certificate.js';
import { onConnection } from './support/server.js';

const PASSWORD = 'hunter2-hunter2';

let own: Certificate;
let another: Certificate;
let server: PostgresServer;

beforeAll(async () => {
  [own, another] = [makeCertificate(), makeCertificate()];
  const { certificateFile, keyFile } = own;
  const tls = { ssl: 'on', ssl_cert_file: certificateFile, ssl_key_file: keyFile };
  server = await startPostgres({ settings: tls });
});
afterAll(async () => {
  await server.stop();
  for (const certificate of [own, another]) certificate.remove();
});

function urlWith(query: string, host = '127.0.0.1'): string {
  return `${server.url({ password: PASSWORD }).replace('127.0.0.1', host)}?${query}`;
}

/** What `open` says against it, in one line that holds neither the password nor the path of a file. */
async function refusal(url: string): Promise<string> {
  const { store } = postgres({ url });
  try {
    await store.open();
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    const { message } = error as StoreError;
    expect(message).not.toContain('\n');
    expect(message).not.toContain(PASSWORD);
    expect(message).not.toContain('.pem');
    return message;
  } finally {
    await store.close();
  }
  throw new Error('It was opened.');
}

describe('a server with a certificate of its own making', () => {
  it.each(['verify-full', 'verify-ca', 'require'])(
    'is spoken to by TLS on every connection where its certificate is the root, with sslmode=%s',
    async (mode) => {
      const url = urlWith(`sslmode=${mode}&sslrootcert=${encodeURIComponent(own.certificateFile)}`);
      const engine = createEngine(postgres({ url }));
      engine.registerUnit('work', () => 'done');
      await engine.open();
      try {
        await engine.workflows.register({ yaml: inSequence('w', [{ id: 'a', uses: 'work' }]) });
        const { status } = await engine.runs.start({ workflowId: 'w', sync: true });
        expect(status).toBe('completed');
        const rows = await onConnection(
          ({ query }) =>
            query(`SELECT ssl.ssl AS is_encrypted
                   FROM pg_stat_activity AS activity JOIN pg_stat_ssl AS ssl USING (pid)
                   WHERE activity.application_name = 'flowgate'`),
          server.url(),
        );
        expect(rows.length).toBeGreaterThan(1);
        expect(rows.filter(({ is_encrypted: isEncrypted }) => isEncrypted !== true)).toEqual([]);
      } finally {
        await engine.close();
      }
    },
  );

  it('is refused in one line by another root', async () => {
    const query = `sslmode=verify-full&sslrootcert=${encodeURIComponent(another.certificateFile)}`;
    expect(await refusal(urlWith(query))).toMatch(/cannot be reached by TLS \(\w+\): .*sslrootcert/);
  });

  it('is refused where no root is named that knows it', async () => {
    expect(await refusal(urlWith('sslmode=verify-full'))).toMatch(/cannot be reached by TLS/);
  });

  it('is refused under a name that is not in its certificate', async () => {
    const query = `sslmode=verify-full&sslrootcert=${encodeURIComponent(own.certificateFile)}`;
    expect(await refusal(urlWith(query, 'localhost'))).toMatch(/cannot be reached by TLS/);
  });

  it('is refused in one line where the file of the root is missing', async () => {
    const query = `sslmode=verify-full&sslrootcert=${encodeURIComponent(`${own.certificateFile}.gone.pem`)}`;
    expect(await refusal(urlWith(query))).toMatch(/TLS cannot be read \(ENOENT\)/);
  });
});

it('a server without TLS is refused where it is asked for', async () => {
  const plain = await startPostgres();
  try {
    expect(await refusal(`${plain.url({ password: PASSWORD })}?sslmode=verify-full`)).toMatch(
      /cannot be reached by TLS/,
    );
  } finally {
    await plain.stop();
  }
});
