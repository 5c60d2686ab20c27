import type { GateItem, JsonValue } from 'flowgate-client/remote';
import { useSignal, type Signal } from '@preact/signals';
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
import { wholeGate, type WholeGate } from './reading/whole-gate.js';

interface Props {
  readonly card: GateCard;
  /** Whether it has just moved. */
  readonly isResting: boolean;
  /** Whether somebody came for this one. */
  readonly isAlone?: boolean;
  readonly onDismiss?: () => void;
  /** Asks again how it was closed. */
  readonly onAgain?: () => void;
  /** Called once the service says that the gate does not wait any more. */
  readonly onSettled: () => void;
}

/** What a list says of it, or all of it. */
type Asked = Pick<GateItem, 'title' | 'titleCut' | 'description' | 'descriptionCut' | 'payload'>;

/** A gate: what is asked, what follows either way, and the decision. */
export function GateCardView({
  card: { gate, closed, key },
  isResting,
  isAlone = false,
  onDismiss,
  onAgain,
  onSettled,
}: Props) {
  const { workflowId, runId, openedAt } = gate;
  const whole = useSignal<WholeGate | null>(null);
  const { title, titleCut, description, descriptionCut, payload }: Asked = whole.value ?? gate;
  return (
    <article
      class={`card${closed === null ? '' : ' closed'}${isAlone ? ' alone' : ''}`}
      aria-labelledby={`title ${key}`.replaceAll(' ', '-')}
    >
      <header>
        <h2 id={`title ${key}`.replaceAll(' ', '-')} data-step tabIndex={-1}>
          <StateShape state="gate" />
          <PlainText text={title} isCut={titleCut === true} />
        </h2>
        <p class="muted small">
          <a href={href('run', { workflow: workflowId, run: runId })}>
            <PlainText text={workflowId} /> …{runId.slice(-8)}
          </a>
          {' · opened '}
          <Ago at={openedAt} />
        </p>
      </header>
      {closed === null ? null : <HowClosed closed={closed} onDismiss={onDismiss} onAgain={onAgain} />}
      {closed !== null && !isAlone ? null : (
        <>
          {description === null ? null : (
            <p class="description">
              <PlainText text={description} isCut={descriptionCut === true} />
            </p>
          )}
          {/* It may have been left out for its size, too. */}
          {payload === null ? null : <Payload payload={payload} />}
          <ReadWhole gate={gate} whole={whole} />
          {closed === null ? (
            <>
              <Consequences gate={gate} />
              <DecisionForm gate={gate} isResting={isResting} onSettled={onSettled} />
            </>
          ) : null}
        </>
      )}
    </article>
  );
}

interface HowClosedProps {
  readonly closed: ClosedGate;
  readonly onDismiss: (() => void) | undefined;
  readonly onAgain: (() => void) | undefined;
}

function HowClosed({ closed, onDismiss, onAgain }: HowClosedProps) {
  return (
    <div class="row spread">
      <p role="status">
        <ClosedText closed={closed} />
      </p>
      {closed.how !== 'unread' || onAgain === undefined ? null : (
        <button type="button" onClick={onAgain}>
          Try again
        </button>
      )}
      {onDismiss === undefined ? null : (
        <button type="button" class="quiet" onClick={onDismiss}>
          Dismiss
        </button>
      )}
    </div>
  );
}

function ClosedText({ closed }: { readonly closed: ClosedGate }) {
  switch (closed.how) {
    case 'decided': {
      const { approved, responder, decidedAt, comment } = closed.decision;
      return (
        <>
          <StateMark state={approved ? 'completed' : 'failed'}>
            {approved ? 'Approved' : 'Rejected'}
          </StateMark>{' '}
          by <PlainText text={responder} />, <Ago at={decidedAt} />
          {comment === null ? null : (
            <span class="muted">
              : <PlainText text={comment} />
            </span>
          )}
        </>
      );
    }
    case 'unknown':
      return <StateMark state="cancelled">No longer waits</StateMark>;
    case 'gone':
      return <StateMark state="cancelled">No longer waits: the run went another way</StateMark>;
    case 'unread':
      return (
        <>
          Whether it was decided could not be read. <PlainText text={faultSentence(closed.error)} />
        </>
      );
  }
}

/** What is too large for a list is fetched on demand. */
function ReadWhole({ gate, whole }: { readonly gate: GateItem; readonly whole: Signal<WholeGate | null> }) {
  const fault = useSignal<string | null>(null);
  const { titleCut, descriptionCut, payloadCut } = gate;
  const isCut = titleCut === true || descriptionCut === true || payloadCut === true;
  if (!isCut || whole.value !== null) return null;
  const load = (): void => {
    fault.value = null;
    wholeGate(client.value, gate).then(
      (read) => {
        whole.value = read;
        if (read === null) fault.value = 'The event that opened this gate is not in the log any more.';
      },
      (error: unknown) => (fault.value = faultSentence(error)),
    );
  };
  return (
    <div class="row">
      <button type="button" onClick={load}>
        {payloadCut === true ? 'Show what it is about' : 'Show the whole text'}
      </button>
      <span class="muted">{fault.value ?? 'It is large, so it is fetched on demand.'}</span>
    </div>
  );
}

/** As a table; as JSON on demand. */
function Payload({ payload }: { readonly payload: JsonValue }) {
  const isJson = useSignal(false);
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
