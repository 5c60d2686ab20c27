import type { Answer, Service } from '../../support/service.js';
import { eventually } from '../../support/eventually.js';
import type { AccessInMemory } from '../../support/access.js';
import { startServiceWithAccess } from '../../support/service-with-access.js';
import { startService } from '../../support/service.js';
import { document } from '../../support/workflow-documents.js';
import {
  answerOfBlock,
  requestOfBlock,
  requestOfCell,
  send,
  statusLineOf,
  type PageRequest,
} from './exchange.js';
import { firstDocument, type PageExample, type RequestRow } from './http-page.js';
import { idsBehind, masked, shownAs } from './masked.js';
import { runsFor } from './page-runs.js';

/** What is there only where it is asked who is asking. */
const OF_ACCESS = /^[A-Z]+ \/(?:keys|owners|audit|\.well-known)/;
const ASKING = {
  FLOWGATE_AUTH: 'keys,oidc',
  FLOWGATE_OIDC_ISSUER: 'https://login.example.com',
  FLOWGATE_OIDC_AUDIENCE: 'flowgate',
  FLOWGATE_PUBLIC_URL: 'http://127.0.0.1:8787',
};
const OF_ADMIN = 'Bearer {admin}';
const THE_DOCUMENT = '<the document above>';

/** Plays docs/http/ on a service, and keeps what was answered. */
export class PlayedPage {
  /** By the heading above the request. */
  readonly answers = new Map<string, Answer[]>();
  /** The ids of the page, and those of this play. */
  private readonly ids = new Map<string, string>();

  private constructor(
    readonly service: Service,
    private readonly guarded: { readonly service: Service; readonly access: AccessInMemory },
  ) {}

  static async start(): Promise<PlayedPage> {
    const settings = { FLOWGATE_RESUME_WAIT_MS: '200', FLOWGATE_MAX_STATE_BYTES: '1000000' };
    return new PlayedPage(
      await startService({ ...settings, FLOWGATE_SHUTDOWN_GRACE_MS: '0', FLOWGATE_CANCEL_GRACE_MS: '0' }),
      await startServiceWithAccess(ASKING),
    );
  }

  async close(): Promise<void> {
    await Promise.all([this.service.close(), this.guarded.service.close()]);
  }

  /** What the tables take for granted; the examples come before it. */
  async prepareTables(): Promise<void> {
    const slow = { id: 'answer', uses: 'builtin.mock', config: { delayMs: 100_000 } };
    await this.service.register(document('ping', [{ id: 'answer', uses: 'builtin.mock' }]));
    await this.service.register(document('old', [{ id: 'answer', uses: 'builtin.mock' }]));
    await this.service.register(document('slow', [slow]));
    const policyOverrides = { retry: { maxAttempts: 1 } };
    const leaky = [
      { id: 'reserve', uses: 'builtin.mock', compensate: 'release' },
      { id: 'ship', uses: 'builtin.fail', config: { message: 'no truck' } },
      { id: 'release', uses: 'builtin.mock', config: { failTimes: 1 }, policyOverrides },
    ];
    const flow = { type: 'sequential', order: ['reserve', 'ship'] };
    await this.service.register(document('leaky', leaky, { flow }));
  }

  /** Expects the answer that the page shows. */
  async example({ request, yaml, answer, section }: PageExample): Promise<void> {
    const asked = requestOfBlock(request);
    const instead = new Map([...this.ids, ...documentAbove(yaml)]);
    // What units say is found shortly after they said it, and read by the search shortly after.
    const got = await eventually(
      () => send(this.service, asked, instead),
      ({ body }) => body?.results?.length !== 0 && (body?.memory?.behind ?? 0) === 0,
    );
    this.note(section, got);
    const shown = answerOfBlock(answer);
    expect([statusLineOf(got), masked(got.body)]).toEqual([shown.status, shownAs(masked(shown.body))]);
    for (const [id, meant] of idsBehind(shown.body, got.body)) this.ids.set(id, meant);
  }

  /** Expects the status of the row, and all that its cell shows as code: an `error`, or a part of the body. */
  async row({ request, status, said, section }: RequestRow): Promise<void> {
    const asked = requestOfCell(request, section);
    const got = OF_ACCESS.test(section)
      ? await send(this.guarded.service, withKey(asked, section), await this.credentials())
      : await send(
          this.service,
          asked,
          new Map([...(await runsFor(this.service, asked)), ...documentAbove(firstDocument)]),
        );
    this.note(section, got);
    // The text is there for whoever reads a failure.
    expect({ status: got.status, text: got.text }).toEqual({ status, text: got.text });
    for (const shown of said) {
      if (shown.startsWith('{'))
        expect(masked(got.body)).toMatchObject(shownAs(masked(JSON.parse(shown))) as object);
      else if (status >= 400) expect(got.body.error).toEqual(shownAs(shown));
    }
  }

  /** The key of somebody who may everything; `{key}`: the id of another one of theirs. */
  private async credentials(): Promise<ReadonlyMap<string, string>> {
    const { service, access } = this.guarded;
    const admin = access.headersOf('ada', [{ namespace: '*', roles: ['admin'] }]);
    const { body } = await service.post('/keys', {}, admin);
    return new Map([
      [OF_ADMIN, admin['authorization'] ?? ''],
      ['{key}', body.key.id as string],
    ]);
  }

  private note(section: string, answer: Answer): void {
    this.answers.set(section, [...(this.answers.get(section) ?? []), answer]);
  }
}

/** Where a row says nothing else, it is sent with the key of somebody who may everything; what is open, without one. */
function withKey(asked: PageRequest, section: string): PageRequest {
  if (section.includes('/.well-known')) return asked;
  return { ...asked, headers: { authorization: OF_ADMIN, ...asked.headers } };
}

/** Within JSON it is a text, else it stands for itself. */
function documentAbove(yaml: string): readonly (readonly [string, string])[] {
  return [
    [`"${THE_DOCUMENT}"`, JSON.stringify(yaml)],
    [THE_DOCUMENT, yaml],
  ];
}
