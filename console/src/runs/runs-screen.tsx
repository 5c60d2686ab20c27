import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { RunItem } from 'flowgate-client/remote';
import { useLiveList } from '../api/live-list.js';
import { client } from '../api/service.js';
import { here } from '../app/router.js';
import { Trouble } from '../ui/trouble.js';
import { ChosenRuns } from './chosen-runs.js';
import { FailureGroups } from './failure-groups.js';
import { runFilterOf } from './run-filter.js';
import { RunFilters } from './run-filters.js';
import { RunTable } from './run-table.js';

const PAGE = 50;
const keyOf = (item: object): string => (item as RunItem).runId;

/** Runs of all workflows, newest first, live. */
export function RunsScreen() {
  const { query } = here.value;
  const filter = runFilterOf(query);
  const key = JSON.stringify(filter);
  const isPointed = useRef(false);
  const live = useLiveList<RunItem>(`runs ${key}`, {
    keyOf,
    open: (signal) => client.value.watchRuns({ ...filter, limit: PAGE, signal }),
    holdsNew: () => isPointed.current,
  });
  const chosen = useSignal<ReadonlyMap<string, string>>(new Map());
  const { isRead, shown, waiting, next } = live.list.value;
  return (
    <>
      <div class="head">
        <h1>Runs</h1>
        {waiting.length > 0 ? (
          <button type="button" onClick={() => live.showWaiting()}>
            {waiting.length} new
          </button>
        ) : null}
      </div>
      <RunFilters />
      <div class="stack">
        <Trouble error={live.trouble.value} />
        <FailureGroups runs={shown} chosen={chosen} />
        <ChosenRuns chosen={chosen} />
        <div
          onPointerEnter={() => (isPointed.current = true)}
          onPointerLeave={() => (isPointed.current = false)}
        >
          <RunTable key={key} isRead={isRead} runs={shown} next={next} filter={filter} chosen={chosen} />
        </div>
      </div>
    </>
  );
}
