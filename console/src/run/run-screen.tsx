import { useEffect, useMemo } from 'preact/hooks';
import { client } from '../api/service.js';
import { here, href, refine } from '../app/router.js';
import { isTyping } from '../ui/is-typing.js';
import { singleKeysAreOn } from '../app/single-keys.js';
import { stateOfRun } from '../ui/state/run-state.js';
import { StateMark } from '../ui/state/state-mark.js';
import { distanceText, durationText } from '../ui/text/durations.js';
import { now } from '../ui/text/instants.js';
import { PlainText } from '../ui/text/plain-text.js';
import { Trouble } from '../ui/trouble.js';
import { RunActions } from './actions/run-actions.js';
import { CompareView } from './compare/compare-view.js';
import { EventsView } from './events/events-view.js';
import { GraphOrRows } from './graph/graph-or-rows.js';
import { Inspector } from './inspector/inspector.js';
import { EarlierEvents } from './live/earlier-events.js';
import { RunModel } from './live/run-model.js';
import {
  failedPathOf,
  selectExecution,
  selectionIn,
  selectNextFailure,
  selectPath,
} from './live/selection.js';
import { whyItStands } from './log/why-it-stands.js';
import { ResultPanel } from './result-panel.js';
import { StateView } from './state/state-view.js';
import { TimelineView } from './timeline/timeline-view.js';

const TABS = { graph: 'Graph', timeline: 'Timeline', events: 'Events', state: 'State' } as const;

/** One run: why it stands, what can be done, and what it did. */
export function RunScreen() {
  const { workflow = '', run = '' } = here.value.query;
  const service = client.value;
  const model = useMemo(() => new RunModel(service, workflow, run), [service, workflow, run]);
  useEffect(() => model.begin(), [model]);
  return <Run model={model} key={`${workflow} ${run}`} />;
}

function Run({ model }: { readonly model: RunModel }) {
  const record = model.record.value;
  const picture = model.picture.value;
  const { workflowId, runId } = model;
  const selection = picture === null ? null : selectionIn(picture, record);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isOurs = event.key === 'e' && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isOurs || !singleKeysAreOn.value || isTyping(event) || model.picture.value === null) return;
      selectNextFailure(
        model.picture.value,
        model.record.value,
        selectionIn(model.picture.value, model.record.value),
      );
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [model]);
  return (
    <div class="run">
      <div class="run-head">
        <div class="row spread">
          <h1>
            <a href={href('workflow', { workflow: workflowId })}>
              <PlainText text={workflowId} />
            </a>{' '}
            <span class="mono muted" title={runId}>
              …{runId.slice(-8)}
            </span>
          </h1>
          {record === null ? null : (
            <StateMark
              state={stateOfRun({
                status: record.status,
                cancelled: record.cancelled === true,
                waitingFor: record.waits[0]?.for ?? null,
              })}
            />
          )}
        </div>
        {record === null ? null : (
          <p class="why" role="status">
            {whyItStands(record, picture, now.value, TIMES).map(({ text, isName }, index) =>
              isName ? (
                <code key={index}>
                  <PlainText text={text} />
                </code>
              ) : (
                <PlainText key={index} text={text} />
              ),
            )}
            {picture === null || picture.forkedFrom === null ? null : (
              <>
                {' '}
                Forked from{' '}
                <a href={href('run', { workflow: workflowId, run: picture.forkedFrom.runId })}>
                  …{picture.forkedFrom.runId.slice(-8)}
                </a>
                .
              </>
            )}
          </p>
        )}
        {record === null || picture === null ? null : (
          <RunActions
            model={model}
            record={record}
            picture={picture}
            selected={selection?.execution ?? null}
          />
        )}
      </div>
      <Trouble error={model.error.value} onAgain={() => model.again()} />
      {record === null || picture === null || selection === null ? (
        model.error.value === null ? (
          <p class="muted">Loading…</p>
        ) : null
      ) : (
        <Parts model={model} record={record} picture={picture} selection={selection} />
      )}
    </div>
  );
}

interface PartsProps {
  readonly model: RunModel;
  readonly record: NonNullable<RunModel['record']['value']>;
  readonly picture: NonNullable<RunModel['picture']['value']>;
  readonly selection: ReturnType<typeof selectionIn>;
}

function Parts({ model, record, picture, selection }: PartsProps) {
  const { compare = '', tab: asked = compare === '' ? 'graph' : 'compare' } = here.value.query;
  const tree = model.definition.value?.tree ?? null;
  const tab = Object.hasOwn(TABS, asked) || (asked === 'compare' && compare !== '') ? asked : 'graph';
  const { failure } = record;
  const isFailure =
    selection.execution !== null && failure !== null && selection.execution.unitId === failure.unitId;
  const tabs = compare === '' ? TABS : { ...TABS, compare: 'Compare' };
  const isBeside = tab === 'graph' || tab === 'timeline';
  // Only what moves needs the time: else nothing is computed again each second.
  const instant = picture.endedAt ?? now.value;
  return (
    <>
      <ResultPanel record={record} />
      <nav class="tabs" aria-label="What of the run">
        {Object.entries(tabs).map(([name, title]) => (
          <a
            key={name}
            href={href('run', { ...here.value.query, tab: name })}
            aria-current={tab === name ? 'page' : undefined}
            onClick={(event) => (event.preventDefault(), refine({ tab: name }))}
          >
            {title}
          </a>
        ))}
      </nav>
      <EarlierEvents model={model} />
      <div class={isBeside ? 'run-parts beside' : 'run-parts'}>
        <div class="run-part">
          {tab === 'graph' ? (
            tree === null ? (
              <NoDefinition model={model} />
            ) : (
              <GraphOrRows
                tree={tree}
                picture={picture}
                now={instant}
                selected={selection.path}
                failedPath={failedPathOf(record)}
                onSelect={(path) => selectPath(picture, path)}
              />
            )
          ) : null}
          {tab === 'timeline' ? (
            <TimelineView
              picture={picture}
              now={instant}
              selected={selection.execution}
              onSelect={selectExecution}
            />
          ) : null}
          {tab === 'events' ? <EventsView events={model.events.value} /> : null}
          {tab === 'state' ? <StateView record={record} picture={picture} /> : null}
          {tab === 'compare' ? (
            <CompareView
              workflowId={model.workflowId}
              runId={model.runId}
              run={{
                picture,
                events: model.events.value,
                inherited: model.inherited.value,
                firstSeq: model.firstSeq.value,
              }}
              otherId={compare}
            />
          ) : null}
        </div>
        {isBeside ? (
          <Inspector
            selection={selection}
            picture={picture}
            events={model.events.value}
            inherited={model.inherited.value}
            tree={tree}
            now={instant}
            failedLine={isFailure ? failure.line : null}
            failure={selection.path !== null && selection.path === failedPathOf(record) ? failure : null}
          />
        ) : null}
      </div>
    </>
  );
}

function NoDefinition({ model }: { readonly model: RunModel }) {
  const error = model.definitionError.value;
  if (error !== null) return <Trouble error={error} />;
  return (
    <p class="muted">
      {model.definition.value === null
        ? 'Loading…'
        : 'The document of this run has no flow that can be drawn: see the timeline.'}
    </p>
  );
}

const TIMES = { until: (at: number) => distanceText(at, now.value), span: durationText };
