import { ConfigError } from '../../errors/service-errors.js';
import { plainDefinitions, selectTools } from './tool-selection.js';

const FOUR = ['run_workflow', 'get_run', 'resume_run', 'respond_hitl'];
const NINE = [...FOUR, 'list_workflows', 'describe_workflow', 'cancel_run', 'list_runs', 'list_gates'];
const ALL = [
  ...FOUR,
  'list_workflows',
  'describe_workflow',
  'validate_workflow',
  'register_workflow',
  'delete_workflow',
  'search_memory',
  'cancel_run',
  'pause_run',
  'compensate_run',
  'fork_run',
  'list_runs',
  'list_events',
  'list_gates',
];

it.each([
  [['default'], FOUR, NINE],
  [['extended'], ALL, ALL],
  // A list that only removes tools starts from the default.
  [['-respond_hitl'], FOUR.slice(0, 3), NINE.filter((name) => name !== 'respond_hitl')],
  [['default', '-respond_hitl', '-resume_run'], FOUR.slice(0, 2), [...FOUR.slice(0, 2), ...NINE.slice(4)]],
  [['extended', '-register_workflow'], ...twice(ALL.filter((name) => name !== 'register_workflow'))],
  // A name adds a tool in both profiles.
  [['default', 'list_workflows'], [...FOUR, 'list_workflows'], NINE],
  [['get_run'], ...twice(['get_run'])],
  [['search_memory', 'get_run'], ...twice(['get_run', 'search_memory'])],
  // Choices apply from left to right.
  [['-get_run', 'get_run'], ...twice(['get_run'])],
  [['extended', '-extended', 'get_run'], ...twice(['get_run'])],
  [['default', '-default'], [], []],
])('%j is %j in the plain profile and %j in the official one', (choices, plain, official) => {
  const selection = selectTools(choices);
  expect([...selection.plain]).toEqual(plain);
  expect([...selection.official]).toEqual(official);
});

it.each([
  [['default'], false],
  [['default', '-respond_hitl'], false],
  [['default', 'search_memory'], true],
  [['extended'], true],
])('of %j the plain profile says what resume_run takes beyond the interface: %j', (choices, isSaid) => {
  const tools = plainDefinitions(selectTools(choices).plain);
  const resume = tools.find(({ name }) => name === 'resume_run');
  expect('budget' in resume!.inputSchema.properties).toBe(isSaid);
});

it('names every tool that does not exist, and what may have been meant', () => {
  const faults = (choices: readonly string[]): string => {
    try {
      selectTools(choices);
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    return 'no fault';
  };
  expect(faults(['-respond_hitI', 'constructor'])).toContain(
    'there is no tool -respond_hitI. Did you mean respond_hitl?',
  );
  expect(faults(['default', 'constructor'])).toContain(
    'FLOWGATE_MCP_TOOLS (mcp.tools): there is no tool constructor. There are default, extended, run_workflow,',
  );
});

function twice<T>(value: T): [T, T] {
  return [value, value];
}
