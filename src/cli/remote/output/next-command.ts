import type { NextStep } from '../../run/next-steps.js';
import { STDIN } from '../../input/read-text.js';
import { shellWords } from '../../terminal/shell-words.js';
import { presets } from '../../settings/presets.js';
import type { ServerArguments } from '../server/server-options.js';

/** The command for a step about a run of a server, ready to be copied. Headers may be secrets: they are never part of it. */
export function nextCommand(
  { server, tokenFile, namespace }: Omit<ServerArguments, 'header' | 'json'>,
  runId: string,
) {
  const where = [
    ...(server === presets().server.value ? [] : ['--server', server]),
    ...(tokenFile === undefined || tokenFile === STDIN ? [] : ['--token-file', tokenFile]),
    ...(namespace === undefined ? [] : ['--namespace', namespace]),
  ];
  return (step: NextStep): string => shellWords(['flowgate', step.do, runId, ...optionsOf(step), ...where]);
}

function optionsOf(step: NextStep): readonly string[] {
  if (step.do === 'approve') return step.gateId === null ? [] : ['--gate', String(step.gateId)];
  if (step.do !== 'resume') return [];
  const { maxTokens, maxCost } = step;
  return [
    ...(maxTokens === null ? [] : ['--max-tokens', String(maxTokens)]),
    ...(maxCost === null ? [] : ['--max-cost', String(maxCost)]),
  ];
}
