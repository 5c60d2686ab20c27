import { globSync, readFileSync } from 'node:fs';
import { LIST_PAGE, OF_WORKFLOW, RUN_FILTERS } from '../../src/openapi/list-parameters.js';
import { MOST_COST, MOST_TOKENS } from '../../src/engine/request-limits.js';
import { fieldsOf } from '../../src/openapi/body-schema.js';
import { namesOf } from '../../src/openapi/parameters.js';
import { RespondHitlDto } from '../../src/hitl/dto/respond-hitl.dto.js';
import { ForkRunDto } from '../../src/runs/dto/fork-run.dto.js';
import { ResumeRunDto } from '../../src/runs/dto/resume-run.dto.js';
import { StartRunDto } from '../../src/runs/dto/start-run.dto.js';
import { StopRunDto } from '../../src/runs/dto/stop-run.dto.js';
import { RegisterWorkflowDto } from '../../src/workflows/dto/register-workflow.dto.js';
import { BUILT_IN_TOOLS, wholeDefinition, type ToolName } from '../../src/mcp/tools/tool-definitions.js';

const argumentsOf = (name: ToolName) => wholeDefinition(BUILT_IN_TOOLS.get(name)!).inputSchema;
const ADDRESS = ['workflowId', 'runId'];

describe('a tool takes of a request what its DTO has:', () => {
  // The interface fixes the bytes of `run_workflow`: `labels` are taken, and not named.
  it.each<readonly [ToolName, new () => object, readonly string[]]>([
    ['run_workflow', StartRunDto, ['labels']],
    ['resume_run', ResumeRunDto, []],
    ['respond_hitl', RespondHitlDto, []],
    ['cancel_run', StopRunDto, []],
    ['pause_run', StopRunDto, []],
    ['compensate_run', StopRunDto, []],
    ['fork_run', ForkRunDto, []],
    ['validate_workflow', RegisterWorkflowDto, []],
    ['register_workflow', RegisterWorkflowDto, []],
  ])('%s', (name, shape, unnamed) => {
    const { properties, required } = argumentsOf(name);
    const ownFields = Object.keys(properties).filter((field) => !ADDRESS.includes(field));
    const fields = fieldsOf(shape).filter((field) => !unnamed.includes(field.name));
    expect(ownFields.toSorted()).toEqual(fields.map((field) => field.name).toSorted());
    const needed = fields.filter(({ isRequired }) => isRequired).map((field) => field.name);
    expect(required.filter((field) => !ADDRESS.includes(field))).toEqual(needed);
  });

  it('list_runs, whose labels are an object', () => {
    const parameters = namesOf([OF_WORKFLOW, ...RUN_FILTERS, ...LIST_PAGE]);
    const named = parameters.map((name) => (name === 'label' ? 'labels' : name));
    expect(Object.keys(argumentsOf('list_runs').properties)).toEqual(named);
  });
});

describe('the words of the interface are listed once:', () => {
  const sources = globSync('src/**/*.ts')
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.test.ts') && !file.startsWith('src/engine/testing/'));
  const filesWith = (list: RegExp) => sources.filter((file) => list.test(readFileSync(file, 'utf8')));

  it.each([
    ['statuses', /'pending'[,|\s]+'running'[,|\s]+'paused'/],
    ['origins', /'client'[,|\s]+'fork'/],
    ['statuses of gates', /'open'[,|\s]+'decided'/],
    ['views of events', /'public'[,|\s]+'log'/],
    ['definitions of forks', /'pinned'[,|\s]+'current'/],
    ['ways in', /'mcp'[,|\s]+'in-process'/],
  ])('%s', (_what, list) => {
    expect(filesWith(list)).toEqual(['src/engine/vocabulary.ts']);
  });
});

it('what nothing makes is published nowhere', () => {
  for (const file of ['openapi.json', 'openapi.conventional.json', 'run-events.v1.schema.json']) {
    expect([file, /"(?:schedule|bulk)"/.test(readFileSync(`schemas/${file}`, 'utf8'))]).toEqual([
      file,
      false,
    ]);
  }
  for (const file of globSync('docs/{http,cli,mcp,http/*}.md')) {
    expect([file, /\bbulk\b/.test(readFileSync(file, 'utf8'))]).toEqual([file, false]);
  }
});

it('a document may give a run the budget that a resume may', () => {
  const schema = JSON.parse(readFileSync('schemas/workflow.v1.schema.json', 'utf8')) as {
    readonly $defs: { readonly policy: { readonly properties: { readonly budget: Budget } } };
  };
  const { maxTokens, maxCost } = schema.$defs.policy.properties.budget.properties;
  expect([maxTokens.maximum, maxCost.maximum]).toEqual([MOST_TOKENS, MOST_COST]);
});

interface Budget {
  readonly properties: Readonly<Record<'maxTokens' | 'maxCost', { readonly maximum: number }>>;
}
