import { ProtocolError, ProtocolErrorCode, type RequestMethod } from '@modelcontextprotocol/server';
import type { RequestHandler } from '../server-parts.js';
import { PROMPT_PERMISSIONS } from '../../tools/tool-permissions.js';
import { contextIn } from '../keys.js';
import { writingGuide } from './writing-guide.js';

const WRITE_WORKFLOW = {
  name: 'write_workflow',
  title: 'Write a workflow',
  description: 'Helps to write a workflow document that this service accepts',
  arguments: [{ name: 'goal', description: 'What the workflow is to do', required: true }],
};
const MAX_GOAL_CHARS = 10_000;

/** The handlers of the one prompt. */
export function promptHandlers(): readonly (readonly [RequestMethod, RequestHandler])[] {
  return [
    [
      'prompts/list',
      async (_request, { http }) => {
        const may = await contextIn(http?.authInfo).engine.may(...PROMPT_PERMISSIONS);
        return { prompts: may ? [WRITE_WORKFLOW] : [] };
      },
    ],
    [
      'prompts/get',
      async ({ params = {} }, { http }) => {
        await contextIn(http?.authInfo).engine.assertMay(...PROMPT_PERMISSIONS);
        if (params['name'] !== WRITE_WORKFLOW.name) throw invalid('Unknown prompt: prompts/list names them');
        const { goal } = (params['arguments'] ?? {}) as { readonly goal?: unknown };
        if (typeof goal !== 'string' || goal.trim() === '')
          throw invalid('arguments.goal (string) is required');
        if (goal.length > MAX_GOAL_CHARS) throw invalid(`goal may have ${MAX_GOAL_CHARS} characters`);
        const text = `${writingGuide}\n\nWrite the document for this:\n\n${goal}`;
        return {
          description: WRITE_WORKFLOW.description,
          messages: [{ role: 'user', content: { type: 'text', text } }],
        };
      },
    ],
  ];
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
