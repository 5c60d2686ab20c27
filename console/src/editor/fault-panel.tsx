import { StateMark } from '../ui/state/state-mark.js';
import { PlainText } from '../ui/text/plain-text.js';
import type { Mark } from './checking/fold-faults.js';
import type { EditorModel } from './editor-model.js';

/** What stands against the text, each at its line, with the near name where there is one. */
export function FaultPanel({ model }: { readonly model: EditorModel }) {
  const marks = model.marks.value;
  const faults = marks.filter(({ kind }) => kind === 'fault').length;
  const state = model.checking.value;
  return (
    <section class={faults > 0 ? 'notice bad' : 'notice'} aria-label="Faults">
      <div class="stack tight grows">
        <p role="status">
          {faults > 0 ? (
            <StateMark state="failed">{faults === 1 ? '1 fault' : `${faults} faults`}</StateMark>
          ) : state === 'checking' ? (
            <StateMark state="waiting">Checking…</StateMark>
          ) : (
            <StateMark state={state === 'alone' ? 'waiting' : 'completed'}>{FINE[state]}</StateMark>
          )}
        </p>
        {marks.length === 0 ? null : (
          <ul class="stack tight list editor-faults">
            {marks.map((mark, index) => (
              <Item key={`${index} ${mark.message}`} mark={mark} model={model} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

const FINE = {
  checked: 'It would be registered.',
  alone: 'Its text has no fault. The service has not checked the units and the expressions.',
} as const;

function Item({ mark, model }: { readonly mark: Mark; readonly model: EditorModel }) {
  const { line, column, message, kind } = mark;
  const suggestion = model.suggestionOf(mark);
  return (
    <li>
      {line === null ? null : (
        <button type="button" class="link" onClick={() => model.goTo(mark)}>
          Line {line}
          {column === null ? '' : `, column ${column}`}
        </button>
      )}{' '}
      {kind === 'doubt' ? <span class="muted">Probably not meant: </span> : null}
      <PlainText text={message} />{' '}
      {suggestion === null ? null : (
        <button type="button" class="link" onClick={() => model.mend(mark)}>
          Write <PlainText text={suggestion} />
        </button>
      )}
    </li>
  );
}
