import { useSignal } from '@preact/signals';
import type { JsonObject, JsonValue, RunEvent } from 'flowgate-client/remote';
import { useMemo } from 'preact/hooks';
import { here, refine } from '../../app/router.js';
import { PlainText } from '../../ui/text/plain-text.js';
import { JsonView } from '../../ui/values/json-view.js';
import { WindowedRows } from '../../ui/windowed-rows.js';

const ROW = 32;
const TIME = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});

interface Props {
  readonly events: readonly RunEvent[];
}

/** The log of the run, newest last, by type, unit, or failures alone. */
export function EventsView({ events }: Props) {
  const { type = '', unit = '', failed = '' } = here.value.query;
  const chosen = useSignal<number | null>(null);
  const types = useMemo(() => [...new Set(events.map((event) => event.type))].sort(), [events]);
  const rows = useMemo(
    () =>
      events.filter(
        (event) =>
          (type === '' || event.type === type) &&
          (unit === '' || unitOf(event).toLowerCase().includes(unit.toLowerCase())) &&
          (failed === '' || isFailure(event)),
      ),
    [events, type, unit, failed],
  );
  const shown = rows.find(({ seq }) => seq === chosen.value);
  return (
    <div class="events">
      <div class="filters">
        <label class="field">
          <span>Type</span>
          <select
            value={type}
            onChange={({ currentTarget }) => refine({ type: currentTarget.value || undefined })}
          >
            <option value="">all</option>
            {types.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>Unit</span>
          <input
            value={unit}
            onInput={({ currentTarget }) => refine({ unit: currentTarget.value || undefined })}
          />
        </label>
        <label class="row">
          <input
            type="checkbox"
            checked={failed !== ''}
            onChange={({ currentTarget }) => refine({ failed: currentTarget.checked ? 'only' : undefined })}
          />
          Failures only
        </label>
        <span class="muted">
          {rows.length.toLocaleString()} of {events.length.toLocaleString()}
        </span>
      </div>
      <WindowedRows rows={rows} rowHeight={ROW} role="table" label="Events" columns={4}>
        {(event, index) => (
          <div
            key={event.seq}
            role="row"
            aria-rowindex={index + 1}
            class={event.seq === chosen.value ? 'event-row selected' : 'event-row'}
          >
            <span role="cell" class="muted number">
              {event.seq}
            </span>
            <span role="cell" class="muted">
              {TIME.format(event.at)}
            </span>
            <span role="cell">
              <button
                type="button"
                class="link"
                data-step
                aria-expanded={event.seq === chosen.value}
                onClick={() => (chosen.value = event.seq === chosen.value ? null : event.seq)}
              >
                {event.type}
              </button>
            </span>
            <span role="cell" class="event-unit">
              <PlainText text={unitOf(event)} />
              {isFailure(event) ? (
                <span class="state-failed">
                  {' '}
                  <PlainText text={errorOf(event)} />
                </span>
              ) : null}
            </span>
          </div>
        )}
      </WindowedRows>
      {shown === undefined ? null : (
        <section class="panel" aria-label={`Event ${shown.seq}`}>
          <h2>
            {shown.seq} · {shown.type}
          </h2>
          <JsonView value={shown.data} />
        </section>
      )}
    </div>
  );
}

/** What failed names itself, or its failure does. */
function unitOf({ data }: RunEvent): string {
  return textIn(data, 'unitId') ?? textIn(data['error'], 'unitId') ?? '';
}

/** A text, or, where something caught it, a failure with a message. */
function errorOf({ data }: RunEvent): string {
  return textIn(data, 'error') ?? textIn(data['error'], 'message') ?? '';
}

function textIn(value: JsonValue | undefined, field: string): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const text = (value as JsonObject)[field];
  return typeof text === 'string' ? text : null;
}

const FAILURES = new Set([
  'unit-failed',
  'unit-attempt-failed',
  'run-failed',
  'failure-caught',
  'compensation-failed',
  'child-refused',
]);

function isFailure({ type, data }: RunEvent): boolean {
  return (
    FAILURES.has(type) ||
    ((type === 'branch-closed' || type === 'child-ended') && typeof data['error'] === 'string')
  );
}
