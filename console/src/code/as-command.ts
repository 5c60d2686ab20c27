import type { JsonValue } from '../../../clients/typescript/src/types/json.js';
import type { Act, Connection } from './act.js';
import { shellWord } from './shell-text.js';

/** The act as a command of `flowgate`, for a POSIX shell. It takes the token from `FLOWGATE_TOKEN` by itself. */
export function asCommand(act: Act, { baseUrl, namespace }: Connection): string {
  const [name, options] = commandOf(act);
  const all = [...options, ['server', baseUrl] as const, ['namespace', namespace] as const];
  const written = all.flatMap(([option, value]) => {
    if (value === null || value === false) return [];
    return [value === true ? `--${option}` : `--${option}=${shellWord(value)}`];
  });
  const ids = act.kind === 'start' ? [act.workflowId] : [act.workflowId, act.runId];
  // What begins with a dash would be read as an option.
  const isOption = ids.some((id) => id.startsWith('-'));
  const words = ids.map(shellWord);
  const parts = isOption ? [...written, ['--', ...words].join(' ')] : written;
  return [isOption ? `flowgate ${name}` : ['flowgate', name, ...words].join(' '), ...parts].join(' \\\n  ');
}

type Option = readonly [name: string, value: string | boolean | null];

function commandOf(act: Act): readonly [string, readonly Option[]] {
  switch (act.kind) {
    case 'start':
      return ['start', [['input', JSON.stringify(act.input)]]];
    case 'read':
      return ['describe', []];
    case 'watch':
      return ['watch', []];
    case 'resume':
      return ['resume', [['snapshot', act.snapshotId]]];
    case 'cancel':
    case 'pause':
    case 'compensate':
      return [act.kind, [['by', act.by]]];
    case 'decide':
      return [
        act.approved ? 'approve' : 'reject',
        [
          ['gate', act.gateId === null ? null : String(act.gateId)],
          ['responder', act.responder],
          ['comment', act.comment],
        ],
      ];
    case 'fork': {
      const { from } = act;
      const unit = from !== undefined && 'unitId' in from ? from : null;
      return [
        'fork',
        [
          ['snapshot', from !== undefined && 'snapshotId' in from ? from.snapshotId : null],
          ['unit', unit?.unitId ?? null],
          ['occurrence', unit?.occurrence === undefined ? null : String(unit.occurrence)],
          ['input', json(act.input)],
          ['state', json(act.state)],
          ['unit-input', json(act.unitInput)],
          ['current', act.definition === 'current'],
        ],
      ];
    }
  }
}

function json(value: JsonValue | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
