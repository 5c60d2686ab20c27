import { nearName } from '../../config/near-name.js';
import { ConfigError } from '../../errors/service-errors.js';
import type { Profile } from '../profile.js';
import { BUILT_IN_TOOLS, wholeDefinition, type ToolDefinition, type ToolName } from './tool-definitions.js';

/** The tools of the interface; the plain profile has others only if they are chosen. */
const PLAIN_DEFAULT: readonly ToolName[] = ['run_workflow', 'get_run', 'resume_run', 'respond_hitl'];

const GROUPS: Readonly<Record<string, Readonly<Record<Profile, readonly ToolName[]>>>> = {
  default: {
    plain: PLAIN_DEFAULT,
    official: [
      ...PLAIN_DEFAULT,
      'list_workflows',
      'describe_workflow',
      'cancel_run',
      'list_runs',
      'list_gates',
    ],
  },
  extended: { plain: [...BUILT_IN_TOOLS.keys()], official: [...BUILT_IN_TOOLS.keys()] },
};

export type ToolSelection = Readonly<Record<Profile, ReadonlySet<ToolName>>>;

/**
 * Which of our tools each profile has. `choices` apply from left to right: `default`, `extended` or a name adds, and
 * one of these after `-` removes; a list that only removes starts from `default`. Throws a `ConfigError` that names
 * every unknown choice.
 */
export function selectTools(choices: readonly string[]): ToolSelection {
  const unknown = choices.filter((choice) => toolsOf(choice, 'official') === null);
  if (unknown.length > 0) throw new ConfigError(unknown.map(faultOf));
  const onlyTakesAway = choices.every((choice) => choice.startsWith('-'));
  const all = onlyTakesAway ? ['default', ...choices] : choices;
  return { plain: selected(all, 'plain'), official: selected(all, 'official') };
}

/**
 * The definitions of `tools/list` in the plain profile. If it has only the tools of the interface, they are the
 * interface's to the byte; only next to others of ours do they include our further arguments.
 */
export function plainDefinitions(tools: ToolSelection['plain']): readonly ToolDefinition[] {
  const isOfTheInterface = [...tools].every((name) => PLAIN_DEFAULT.includes(name));
  return [...BUILT_IN_TOOLS].flatMap(([name, tool]) => {
    if (!tools.has(name)) return [];
    return [isOfTheInterface ? tool.plain : wholeDefinition(tool)];
  });
}

function selected(choices: readonly string[], profile: Profile): ReadonlySet<ToolName> {
  const chosen = new Set<ToolName>();
  for (const choice of choices) {
    for (const tool of toolsOf(choice, profile) ?? []) {
      if (choice.startsWith('-')) chosen.delete(tool);
      else chosen.add(tool);
    }
  }
  // The order of the list does not depend on the choices.
  return new Set([...BUILT_IN_TOOLS.keys()].filter((tool) => chosen.has(tool)));
}

/** The tools of a choice; null: there is no such choice. */
function toolsOf(choice: string, profile: Profile): readonly ToolName[] | null {
  const name = choice.replace(/^-/, '');
  if (Object.hasOwn(GROUPS, name)) return GROUPS[name]?.[profile] ?? null;
  return BUILT_IN_TOOLS.has(name as ToolName) ? [name as ToolName] : null;
}

function faultOf(choice: string) {
  const known = [...Object.keys(GROUPS), ...BUILT_IN_TOOLS.keys()];
  const meant = nearName(choice.replace(/^-/, ''), known);
  const hint = meant === null ? `There are ${known.join(', ')}.` : `Did you mean ${meant}?`;
  const variable = 'FLOWGATE_MCP_TOOLS';
  return { variable, message: `${variable} (mcp.tools): there is no tool ${choice.slice(0, 100)}. ${hint}` };
}
