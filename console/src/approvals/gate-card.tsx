import type { GateItem, JsonValue } from 'flowgate-client/remote';
import { useSignal } from '@preact/signals';
import { faultSentence } from '../api/fault-sentence.js';
import { client } from '../api/service.js';
import { href } from '../app/router.js';
import { StateMark, StateShape } from '../ui/state/state-mark.js';
import { Ago } from '../ui/text/instants.js';
import { PlainText } from '../ui/text/plain-text.js';
import { JsonView } from '../ui/values/json-view.js';
import { ValueTable } from '../ui/values/value-table.js';
import { Consequences } from './consequences.js';
import { DecisionForm } from './decision-form.js';
import type { ClosedGate, GateCard } from './gate-cards.js';
import { wholeGate } from './whole-gate.js';

interface Props {
  readonly card: GateCard;
  /** Whether it has just moved. */
  readonly isResting: boolean;
  /** Whether somebody came for this one. */
  readonly isAlone?: boolean;
  readonly onDismiss?: () => void;
}

/** A gate: what is asked, what follows either way, and the decision. */
export function GateCardView({ card: { gate, closed, key }, isResting, isAlone = false, onDismiss }: Props) {
  const { title, description, workflowId, runId, openedAt } = gate;
  return (
    <article
      class={`card${closed === null ? '' : ' closed'}${isAlone ? ' alone' : ''}`}
      aria-labelledby={`title ${key}`.replaceAll(' ', '-')}
    >
      <header>
        <h2 id={`title ${key}`.replaceAll(' ', '-')} data-step tabIndex={-1}>
          <StateShape state="gate" />
          <PlainText text={title} />
        </h2>
        <p class="muted small">
          <a href={href('run', { workflow: workflowId, run: runId })}>
            <PlainText text={workflowId} /> …{runId.slice(-8)}
          </a>
          {' · opened '}
          <Ago at={openedAt} />
        </p>
      </header>
      {closed === null ? null : <HowClosed closed={closed} onDismiss={onDismiss} />}
      {closed !== null && !isAlone ? null : (
        <>
          {description === null ? null : (
            <p class="description">
              <PlainText text={description} />
            </p>
          )}
          <Payload gate={gate} />
          {closed === null ? (
            <>
              <Consequences gate={gate} />
              <DecisionForm gate={gate} isResting={isResting} />
            </>
          ) : null}
        </>
      )}
    </article>
  );
}

function HowClosed({
  closed,
  onDismiss,
}: {
  readonly closed: ClosedGate;
  readonly onDismiss: (() => void) | undefined;
}) {
  return (
    <div class="row spread">
      <p role="status">
        {closed.how === 'decided' ? (
          <>
            <StateMark state={closed.decision.approved ? 'completed' : 'failed'}>
              {closed.decision.approved ? 'Approved' : 'Rejected'}
            </StateMark>{' '}
            by <PlainText text={closed.decision.responder} />, <Ago at={closed.decision.decidedAt} />
            {closed.decision.comment === null ? null : (
              <span class="muted">
                : <PlainText text={closed.decision.comment} />
              </span>
            )}
          </>
        ) : (
          <StateMark state="cancelled">
            {closed.how === 'gone' ? 'No longer waits: the run went another way' : 'No longer waits'}
          </StateMark>
        )}
      </p>
      {onDismiss === undefined ? null : (
        <button type="button" class="quiet" onClick={onDismiss}>
          Dismiss
        </button>
      )}
    </div>
  );
}

/** As a table; as JSON on demand. What is too large for a list is fetched on demand. */
function Payload({ gate }: { readonly gate: GateItem }) {
  const isJson = useSignal(false);
  const whole = useSignal<JsonValue | undefined>(undefined);
  const fault = useSignal<string | null>(null);
  const payload = gate.payloadCut === true ? whole.value : gate.payload;
  if (payload === null) return null;
  if (payload === undefined) {
    const load = (): void => {
      wholeGate(client.value, gate).then(
        (value) => (whole.value = value),
        (error: unknown) => (fault.value = faultSentence(error)),
      );
    };
    return (
      <div class="row">
        <button type="button" onClick={load}>
          Show what it is about
        </button>
        <span class="muted">{fault.value ?? 'It is large, so it is fetched on demand.'}</span>
      </div>
    );
  }
  return (
    <div>
      {isJson.value ? <JsonView value={payload} /> : <ValueTable value={payload} />}
      <button
        type="button"
        class="link small"
        aria-pressed={isJson.value}
        onClick={() => (isJson.value = !isJson.value)}
      >
        {isJson.value ? 'As a table' : 'As JSON'}
      </button>
    </div>
  );
}
