import { MakeKeyDto } from '../../src/access/routes/dto/make-key.dto.js';
import { RotateKeyDto } from '../../src/access/routes/dto/rotate-key.dto.js';
import { Engine } from '../../src/engine/index.js';
import { RespondHitlDto } from '../../src/hitl/dto/respond-hitl.dto.js';
import { rulesOf } from '../../src/http/validation/shape-rules.js';
import { BUILT_IN_TOOLS, wholeDefinition } from '../../src/mcp/tools/tool-definitions.js';
import { ForkRunDto } from '../../src/runs/dto/fork-run.dto.js';
import { ResumeRunDto } from '../../src/runs/dto/resume-run.dto.js';
import { StopRunDto } from '../../src/runs/dto/stop-run.dto.js';
import { StartBatchDto } from '../../src/runs/dto/start-batch.dto.js';
import { StartRunDto } from '../../src/runs/dto/start-run.dto.js';
import { RegisterWorkflowDto } from '../../src/workflows/dto/register-workflow.dto.js';
import type { Answer, Body } from '../support/service.js';
import { fieldsOf } from './support/answer-fields.js';
import { limits } from './support/http-limits.js';
import {
  examples,
  namesOf,
  namesOfTable,
  pages,
  requestRows,
  rowsOf,
  type NamedField,
} from './support/http-page.js';
import { situations } from './support/http-situations.js';
import { codeIn, firstCode } from './support/page-tables.js';
import { PlayedPage } from './support/played-page.js';
import { routesOf } from './support/routes.js';
import { everyMessage } from './support/run-messages.js';

// The examples are played first, in their order; then the rows of tables; then what all of that showed is looked at.
let played: PlayedPage;

beforeAll(async () => {
  played = await PlayedPage.start();
});
afterAll(() => played.close());

describe('the pages of the HTTP interface', () => {
  it('lists every route of the service, and no other', () => {
    const routes = rowsOf('method').map(({ cells }) => `${firstCode(cells[0])} ${firstCode(cells[1])}`);
    expect(routes.toSorted()).toEqual(routesOf(played.service).toSorted());
  });

  it('has a section for every route', () => {
    const headings = pages.flatMap(({ text }) =>
      [...text.matchAll(/^## ([A-Z]+ \/.*)$/gm)].map(([, heading]) => heading),
    );
    expect(headings.toSorted()).toEqual(routesOf(played.service).toSorted());
  });
});

describe('an example of the pages', () => {
  it.each(examples)('at $place is answered as the page shows', (example) => played.example(example));
});

describe('a row of the pages', () => {
  beforeAll(() => played.prepareTables());

  it.each(requestRows)('at $place is answered so: $request', (row) => played.row(row));

  it.each(rowsOf('situation'))('at $place is answered so: $cells.0', async ({ cells }) => {
    const [situation = '', status, answer] = cells;
    const play = situations.get(situation);
    if (play === undefined)
      throw new Error(`Say in support/http-situations.ts how to bring about: ${situation}`);
    const got = await play(played.service);
    const shown = firstCode(answer);
    const expected = shown.startsWith('{') ? (JSON.parse(shown) as object) : { error: shown };
    expect([got.status, got.body]).toMatchObject([Number(status), expected]);
  });

  it.each(rowsOf('limit'))('at $place is kept: $cells.0', async ({ cells }) => {
    const [limit = '', most = '', , setting] = cells;
    const keep = limits.get(limit);
    if (keep === undefined) throw new Error(`Say in support/http-limits.ts how to try: ${limit}`);
    await keep({
      service: played.service,
      most: Number(most.replaceAll(',', '')),
      setting: firstCode(setting),
    });
  });

  it('is there for every situation and limit that is tried', () => {
    const rows = [...rowsOf('situation'), ...rowsOf('limit')].map(({ cells }) => cells[0]);
    expect(rows.toSorted()).toEqual([...situations.keys(), ...limits.keys()].toSorted());
  });
});

describe('a table of what is sent', () => {
  /** Without those that another field holds. */
  const bodyFields = namesOf('body').filter(({ name }) => !/[.[]/.test(name));

  it.each([
    ['POST /workflows/from-yaml', RegisterWorkflowDto],
    ['POST /workflows/:id/runs', StartRunDto],
    ['POST /workflows/:id/runs/batch', StartBatchDto],
    ['POST /workflows/:id/runs/:runId/resume', ResumeRunDto],
    ['POST /workflows/:id/runs/:runId/hitl', RespondHitlDto],
    ['POST /workflows/:id/runs/:runId/cancel', StopRunDto],
    ['POST /workflows/:id/runs/:runId/pause', StopRunDto],
    ['POST /workflows/:id/runs/:runId/compensate', StopRunDto],
    ['POST /workflows/:id/runs/:runId/fork', ForkRunDto],
    ['POST /keys', MakeKeyDto],
    ['POST /keys/:id/rotate', RotateKeyDto],
  ])('has every field of the body of %s, and no other', (section, dto) => {
    const named = bodyFields.filter((field) => field.section === section);
    expect(named.map(({ name }) => name)).toEqual(rulesOf(dto).fields);
  });

  it.each(bodyFields)('has a row beside it that shows how a bad $name is refused: $section', (field) => {
    const refused = requestRows.filter(({ section, status }) => section === field.section && status >= 400);
    expect(refused.flatMap(({ request, said }) => [...request, ...said]).join('\n')).toContain(field.name);
  });

  it.each(namesOf('query'))(
    'has a row beside it that gives the query $name: $section',
    ({ name, section }) => {
      const asked = requestRows.filter((row) => row.section === section).map(({ request }) => request[0]);
      expect(asked.join('\n')).toMatch(new RegExp(`[?&]${name}=`));
    },
  );

  it.each(namesOfTable('request field'))(
    'has a row beside it that sends $name: $section',
    ({ name, section }) => {
      const sent = requestRows.filter((row) => row.section === section).flatMap(({ request }) => request);
      expect(sent.join('\n')).toContain(`"${name}":`);
    },
  );

  it('has every tool with its arguments', () => {
    const documented = rowsOf('tool').map(({ cells: [tool, args = ''] }) => [firstCode(tool), codeIn(args)]);
    const tools = [...BUILT_IN_TOOLS.values()].map(wholeDefinition).map(({ name, inputSchema }) => {
      const { properties, required } = inputSchema;
      const isRequired = (given: string): boolean => (required as readonly string[]).includes(given);
      return [name, Object.keys(properties).map((given) => (isRequired(given) ? given : `${given}?`))];
    });
    expect(documented).toEqual(tools);
  });
});

describe('a table of what is answered', () => {
  const isRecord = (body: Body): boolean => body?.status !== undefined && body.runId !== undefined;
  const answered = (
    wanted: (answer: Answer) => boolean,
    ...sections: readonly string[]
  ): readonly unknown[] =>
    [...played.answers]
      .filter(([section]) => sections.length === 0 || sections.includes(section))
      .flatMap(([, answers]) => answers.filter(wanted).map(({ body }) => body as unknown));

  /**
   * Expects every field that was answered to be documented, and every one that is always there to have been answered:
   * always, where what holds it is neither null nor an empty list.
   */
  const expectFields = (bodies: readonly unknown[], documented: readonly NamedField[]): void => {
    expect(documented.length).toBeGreaterThan(0);
    const names = documented.map(({ name }) => name);
    const optional = documented.filter(({ isOptional }) => isOptional).map(({ name }) => name);
    const mayMiss = (name: string): boolean =>
      optional.some(
        (field) => name === field || name.startsWith(`${field}.`) || name.startsWith(`${field}[]`),
      );
    const shown = fieldsOf(bodies, names);
    expect(shown.filter((name) => !names.includes(name))).toEqual([]);
    const isHeld = (name: string): boolean => {
      const holder = name.slice(0, Math.max(0, name.lastIndexOf('.') + 1));
      return shown.some((field) => field.startsWith(holder));
    };
    expect(names.filter((name) => !shown.includes(name) && isHeld(name) && !mayMiss(name))).toEqual([]);
  };

  const routes = rowsOf('method').map(({ cells: [method, path, , status] }) => {
    return { section: `${firstCode(method)} ${firstCode(path)}`, status };
  });

  it.each(routes)('says with which status $section answers', ({ section, status }) => {
    expect(answered((answer) => answer.status === Number(status), section).length).toBeGreaterThan(0);
  });

  it.each([...new Set(namesOf('answer').map(({ section }) => section))])(
    'has the fields that %s showed',
    (section) => {
      const documented = namesOf('answer').filter((field) => field.section === section);
      // The second document, which is registered elsewhere on the page, has a warning.
      const isRegistered = ({ body }: Answer): boolean => body?.note !== undefined;
      const bodies = section.endsWith('from-yaml')
        ? answered(isRegistered)
        : answered(({ status }) => status < 300, section);
      expectFields(bodies, documented);
    },
  );

  it('has every field that a record had, and no other', () => {
    const records = answered(({ body }) => isRecord(body) && body.rootRunId === undefined);
    expect(records.length).toBeGreaterThan(10);
    expectFields(records, namesOf('record'));
  });

  it('has every field that a full record had, and no other', () => {
    const records = answered(({ body }) => isRecord(body) && body.rootRunId !== undefined);
    expect(records.length).toBeGreaterThan(2);
    expectFields(records, namesOf('full'));
  });

  it('has every field that an error had, and no other', () => {
    // Those of JSON-RPC have fields of their own.
    const errors = answered(({ status, body }) => status >= 400 && body?.jsonrpc === undefined);
    expect(errors.length).toBeGreaterThan(20);
    expectFields(errors, namesOf('error'));
  });

  it('has every kind of message that runs show, with its fields', async () => {
    const seen = await everyMessage(played.service, played.service.app.get(Engine));
    const documented = rowsOf('message').map(({ cells: [type, fields = ''] }) => {
      return [firstCode(type), ['type', 'timestamp', ...codeIn(fields)].toSorted()];
    });
    expect([...seen].toSorted()).toEqual(documented.toSorted());
  });
});
