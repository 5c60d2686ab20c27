import pg from 'pg';

/** The server of the test files of one worker, as `shared-servers.mjs` left it in the environment. */
export interface SharedServer {
  readonly port: number;
  readonly superuser: string;
  /** The folder of PostgreSQL's programs. */
  readonly programs: string;
  /** What `postgres --version` says. */
  readonly version: string;
}

export function sharedServer(): SharedServer {
  const servers = JSON.parse(process.env['FLOWGATE_TEST_SERVERS'] ?? '[]') as readonly SharedServer[];
  const own = servers[Number(process.env['JEST_WORKER_ID'] ?? 1) - 1];
  if (own === undefined) throw new Error('This test needs a database: run it with `npm run test:postgres`.');
  return own;
}

/** A way into a database of the shared server; without a user it is the superuser's. */
export function sharedUrl({
  database = 'postgres',
  user = sharedServer().superuser,
  password = '',
} = {}): string {
  const secret = password === '' ? '' : `:${encodeURIComponent(password)}`;
  return `postgresql://${user}${secret}@127.0.0.1:${sharedServer().port}/${database}`;
}

export type Row = Readonly<Record<string, unknown>>;

/** A plain connection, for what a test does behind Flowgate's back. Eight-byte integers are numbers. */
export interface PlainConnection {
  query(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  end(): Promise<void>;
}

const INT8 = 20;

export async function connect(url = sharedUrl()): Promise<PlainConnection> {
  const client = new pg.Client({ connectionString: url });
  client.setTypeParser(INT8, Number);
  // A server that goes ends the connection; whoever waits for an answer is told by that answer.
  client.on('error', () => undefined);
  await client.connect();
  return {
    query: async (sql, values = []) => (await client.query(sql, [...values])).rows as readonly Row[],
    end: () => client.end(),
  };
}

/** Does the work on a connection of its own. */
export async function onConnection<T>(
  work: (connection: PlainConnection) => Promise<T>,
  url = sharedUrl(),
): Promise<T> {
  const connection = await connect(url);
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}
