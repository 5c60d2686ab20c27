import { here, refine } from '../app/router.js';
import { ORIGINS, STATUSES } from './run-filter.js';

/** A view that one opens often, as what it asks for. */
const VIEWS = [
  { title: 'All', query: {} },
  { title: 'Failed', query: { status: 'failed', cancelled: 'no' } },
  { title: 'At a gate', query: { gate: 'open' } },
  { title: 'Under way', query: { status: 'running,pending' } },
  { title: 'Paused', query: { status: 'paused' } },
] as const;

const FIELDS = [
  'workflow',
  'status',
  'cancelled',
  'labels',
  'origin',
  'gate',
  'gateUnit',
  'id',
  'after',
  'before',
  'parent',
  'forkedFrom',
  'definition',
];
const NONE = Object.fromEntries(FIELDS.map((field) => [field, undefined]));

/** Every filter that the service knows. They are in the address, so that a link is a saved view. */
export function RunFilters() {
  const { query } = here.value;
  const isView = (view: Readonly<Record<string, string>>): boolean =>
    FIELDS.every((field) => (query[field] ?? '') === (view[field] ?? ''));
  const text = (field: string, name: string, hint: string) => (
    <label class="field">
      <span>{name}</span>
      <input
        value={query[field] ?? ''}
        placeholder={hint}
        spellcheck={false}
        autoComplete="off"
        onChange={(event) => refine({ [field]: event.currentTarget.value.trim() })}
      />
    </label>
  );
  const choice = (field: string, name: string, values: readonly string[]) => (
    <label class="field">
      <span>{name}</span>
      <select value={query[field] ?? ''} onChange={(event) => refine({ [field]: event.currentTarget.value })}>
        <option value="">any</option>
        {values.map((value) => (
          <option key={value} value={value}>
            {value}
          </option>
        ))}
      </select>
    </label>
  );
  const instant = (field: string, name: string) => (
    <label class="field">
      <span>{name}</span>
      <input
        type="datetime-local"
        value={query[field] ?? ''}
        onChange={(event) => refine({ [field]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <>
      <div class="row filters" role="group" aria-label="Views">
        {VIEWS.map(({ title, query: view }) => (
          <button
            key={title}
            type="button"
            class={isView(view) ? 'view chosen' : 'view'}
            aria-pressed={isView(view)}
            onClick={() => refine({ ...NONE, ...view })}
          >
            {title}
          </button>
        ))}
      </div>
      <details
        class="more"
        open={
          FIELDS.some((field) => (query[field] ?? '') !== '') &&
          !VIEWS.some(({ query: view }) => isView(view))
        }
      >
        <summary>Filters</summary>
        <div class="filters">
          {text('workflow', 'Workflow', 'its id')}
          {choice('status', 'Status', STATUSES)}
          {text('labels', 'Labels', 'team:billing')}
          {text('id', 'Id begins with', '0199…')}
          {choice('origin', 'Made by', ORIGINS)}
          {choice('cancelled', 'Cancelled', ['yes', 'no'])}
          {text('gateUnit', 'At the gate', 'id of its unit')}
          {instant('after', 'Begun after')}
          {instant('before', 'Begun before')}
          {text('parent', 'Child of', 'id of a run')}
          {text('forkedFrom', 'Fork of', 'id of a run')}
          {text('definition', 'Version', 'hash')}
        </div>
      </details>
    </>
  );
}
