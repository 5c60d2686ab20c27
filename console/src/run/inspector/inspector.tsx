import type { RunEvent, RunFailure } from 'flowgate-client/remote';
import type { ComponentChildren } from 'preact';
import { href } from '../../app/router.js';
import { StateMark } from '../../ui/state/state-mark.js';
import { durationText } from '../../ui/text/durations.js';
import { instantText } from '../../ui/text/instants.js';
import { PlainText } from '../../ui/text/plain-text.js';
import { JsonView } from '../../ui/values/json-view.js';
import type { FlowTree } from '../flow/flow-node.js';
import { selectExecution, selectNothing, type Selection } from '../live/selection.js';
import { stateAt } from '../log/part-states.js';
import type { InheritedEvent } from '../log/fold-events.js';
import type { Execution, RunPicture } from '../log/picture.js';
import { factsOfCall } from './facts-of-call.js';
import { WholeValue } from './whole-value.js';
import { writtenKeys } from './written-keys.js';

interface Props {
  readonly selection: Selection;
  readonly picture: RunPicture;
  readonly events: readonly RunEvent[];
  /** What a fork inherited. */
  readonly inherited: readonly InheritedEvent[];
  readonly tree: FlowTree | null;
  readonly now: number;
  /** Of the document where the run failed; null: it did not fail here, or nobody knows. */
  readonly failedLine: number | null;
  /** What the run failed with, where that is at what is selected. */
  readonly failure: RunFailure | null;
}

/** What is known of the call that is selected. */
export function Inspector(props: Props) {
  const { selection, tree } = props;
  const { execution, path } = selection;
  if (execution === null) {
    const unitId = path === null ? null : (tree?.nodes.get(path)?.unitId ?? null);
    return (
      <aside class="inspector panel" aria-label="What is selected">
        {unitId === null ? null : (
          <h2>
            <PlainText text={unitId} />
          </h2>
        )}
        <p class="muted">
          {unitId === null
            ? 'Choose a unit to see what it was given and what it gave.'
            : 'It was not called.'}
        </p>
        {props.failure === null ? null : (
          <div class="notice bad">
            <p>
              <PlainText text={props.failure.message} />
              {props.failure.line === null ? null : (
                <span class="muted"> Line {props.failure.line} of the document.</span>
              )}
            </p>
          </div>
        )}
      </aside>
    );
  }
  return <Call {...props} execution={execution} />;
}

function Call({
  execution,
  picture,
  events,
  inherited,
  tree,
  now,
  failedLine,
}: Props & { readonly execution: Execution }) {
  const { unitId, kind, startedAt, endedAt, error, child, gate, usage, dueAt } = execution;
  const unit = tree?.units.get(unitId);
  const others = picture.executions.filter(({ path }) => path === execution.path);
  const undoes = picture.executions.find(({ id }) => id === execution.compensates);
  const { given, isGivenInputOfRun, ended } = factsOfCall({ events, inherited }, execution);
  const written = writtenKeys(picture, execution);
  return (
    <aside class="inspector panel" aria-label="What is selected">
      <div class="row spread">
        <h2>
          <PlainText text={unitId} />
        </h2>
        <button type="button" class="quiet" aria-label="Select nothing" onClick={selectNothing}>
          ✕
        </button>
      </div>
      <div class="row">
        <StateMark state={stateAt(execution, now)} />
        <span class="muted">{durationText((endedAt ?? now) - startedAt)}</span>
        {execution.isInherited ? <span class="chip">inherited</span> : null}
        {execution.isSuperseded ? <span class="chip">gone back beyond</span> : null}
      </div>
      {error === null ? null : (
        <div class="notice bad">
          <p>
            <PlainText text={error} />
            {failedLine === null ? null : <span class="muted"> Line {failedLine} of the document.</span>}
          </p>
        </div>
      )}
      <Others others={others} selected={execution} picture={picture} />
      <dl class="facts">
        {unit === undefined ? null : <Fact name="uses" value={<PlainText text={unit.uses} />} />}
        <Fact name="begun" value={instantText(startedAt)} />
        {dueAt === null ? null : <Fact name="due" value={instantText(dueAt)} />}
        {kind === 'unit' ? (
          <Fact name="key" value={<span class="mono">{execution.key ?? execution.id}</span>} />
        ) : null}
        {usage === null ? null : (
          <Fact name="used" value={`${usage.tokens.toLocaleString()} tokens, ${usage.cost}`} />
        )}
        {undoes === undefined ? null : <Fact name="undoes" value={<SelectLink execution={undoes} />} />}
        {child === undefined ? null : (
          <Fact
            name="run"
            value={
              <a href={href('run', { workflow: child.workflowId, run: child.runId })}>
                <PlainText text={child.workflowId} /> …{child.runId.slice(-8)}
              </a>
            }
          />
        )}
        {gate === undefined ? null : <Fact name="gate" value={<PlainText text={gate.title} />} />}
        {gate === undefined || gate.responder === null ? null : (
          <Fact
            name={gate.approved === true ? 'approved by' : 'rejected by'}
            value={<PlainText text={gate.responder} />}
          />
        )}
        {gate === undefined || gate.comment === null ? null : (
          <Fact name="comment" value={<PlainText text={gate.comment} />} />
        )}
      </dl>
      {execution.attempts.length > 1 ? <Attempts execution={execution} now={now} /> : null}
      {kind === 'skip' || kind === 'set' || kind === 'fail' || kind === 'timer' ? null : (
        <Part
          title={gate === undefined ? (isGivenInputOfRun ? 'Input (that of the run)' : 'Input') : 'Payload'}
        >
          {given === null ? (
            <p class="muted">It is in a part of the log that was not read.</p>
          ) : (
            <WholeValue key={execution.id} name={unitId} place={given} />
          )}
        </Part>
      )}
      {ended === null || endedAt === null || kind !== 'unit' || error !== null ? null : (
        <Part title="Output">
          <WholeValue key={execution.id} name={unitId} place={ended} />
        </Part>
      )}
      {written.length === 0 ? null : (
        <Part title="Keys written">
          <dl class="written">
            {written.map(({ key, before, after }) => (
              <div key={key}>
                <dt class="mono">
                  <PlainText text={key} />
                </dt>
                {before === undefined ? null : (
                  <dd class="removed">
                    <JsonView value={before} />
                  </dd>
                )}
                <dd class="added">
                  <JsonView value={after} />
                </dd>
              </div>
            ))}
          </dl>
        </Part>
      )}
    </aside>
  );
}

/** More passes than that are found in the timeline. */
const MOST_OTHERS = 100;

function Others({
  others,
  selected,
  picture,
}: {
  readonly others: readonly Execution[];
  readonly selected: Execution;
  readonly picture: RunPicture;
}) {
  if (others.length < 2) return null;
  return (
    <label class="field">
      <span>{others.length} times</span>
      <select
        value={String(selected.id)}
        onChange={({ currentTarget }) => {
          const chosen = others.find(({ id }) => id === Number(currentTarget.value));
          if (chosen !== undefined) selectExecution(chosen);
        }}
      >
        {others.slice(-MOST_OTHERS).map((one) => (
          <option key={one.id} value={String(one.id)}>
            {nameOf(one, picture)} {one.state}
          </option>
        ))}
      </select>
    </label>
  );
}

function nameOf({ scope, startedAt }: Execution, { scopes }: RunPicture): string {
  return (
    scopes.get(scope)?.key ??
    `${scope === '' ? '' : `${scope.slice(scope.lastIndexOf('#'))}, `}${instantText(startedAt)}`
  );
}

function Attempts({ execution, now }: { readonly execution: Execution; readonly now: number }) {
  return (
    <Part title="Attempts">
      <ol class="attempts">
        {execution.attempts.map(({ number, startedAt, endedAt, error, outcome }) => (
          <li key={number}>
            <span class="muted">{number}</span>{' '}
            {endedAt === null && startedAt > now
              ? `again ${instantText(startedAt)}`
              : durationText((endedAt ?? now) - startedAt)}
            {error === null ? null : (
              <span class="state-failed">
                {' '}
                <PlainText text={error} />
                {outcome === 'unknown' ? ' (it may have done its work)' : ''}
              </span>
            )}
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <section class="stack tight">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

function SelectLink({ execution }: { readonly execution: Execution }) {
  return (
    <button type="button" class="link" onClick={() => selectExecution(execution)}>
      <PlainText text={execution.unitId} />
    </button>
  );
}
