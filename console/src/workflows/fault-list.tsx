import type { DocumentFault, WorkflowCheck } from 'flowgate-client/remote';
import { StateMark } from '../ui/state/state-mark.js';
import { PlainText } from '../ui/text/plain-text.js';

interface Props {
  readonly check: WorkflowCheck;
  readonly onGo: (fault: DocumentFault) => void;
}

/** What is wrong with a document, each at its line, and what is probably not meant. */
export function FaultList({ check: { ok, details, warnings, warningDetails }, onGo }: Props) {
  const doubts =
    warningDetails ?? warnings.map((message) => ({ path: '', line: null, column: null, message }));
  return (
    <section class={ok ? 'notice' : 'notice bad'} aria-label="What the service says" role="status">
      <div class="stack tight grows">
        <StateMark state={ok ? 'completed' : 'failed'}>
          {ok ? 'It would be registered.' : `${details.length} ${details.length === 1 ? 'fault' : 'faults'}`}
        </StateMark>
        <ul class="stack tight list">
          {details.map((fault) => (
            <Item key={`${fault.path} ${fault.message}`} fault={fault} onGo={onGo} />
          ))}
          {doubts.map((fault) => (
            <Item key={`${fault.path} ${fault.message}`} fault={fault} onGo={onGo} isDoubt />
          ))}
        </ul>
      </div>
    </section>
  );
}

interface ItemProps {
  readonly fault: DocumentFault;
  readonly onGo: (fault: DocumentFault) => void;
  readonly isDoubt?: boolean;
}

function Item({ fault, onGo, isDoubt = false }: ItemProps) {
  const { line, column, message } = fault;
  return (
    <li>
      {line === null ? null : (
        <button type="button" class="link" onClick={() => onGo(fault)}>
          Line {line}
          {column === null ? '' : `, column ${column}`}
        </button>
      )}{' '}
      {isDoubt ? <span class="muted">Probably not meant: </span> : null}
      <PlainText text={message} />
    </li>
  );
}
