import { signal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { RunItem } from 'flowgate-client/remote';
import { useLiveList } from '../api/live-list.js';
import { client, identityKey } from '../api/service.js';
import { here } from '../app/router.js';
import { Trouble } from '../ui/trouble.js';
import { ChosenRuns, type Chosen } from './chosen-runs.js';
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
  const who = identityKey.value;
  const key = JSON.stringify(filter);
  const isPointed = useRef(false);
  const live = useLiveList<RunItem>(`runs ${key}`, {
    keyOf,
    open: (ended) => client.value.watchRuns({ ...filter, limit: PAGE, signal: ended }),
    holdsNew: () => isPointed.current,
  });
  // Of another namespace, or chosen by somebody else, it is not to be acted upon.
  const chosen = useMemo<Chosen>(() => signal(new Map()), [who]);
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
        <ChosenRuns key={who} chosen={chosen} />
        <div
          onPointerEnter={() => (isPointed.current = true)}
          onPointerLeave={() => (isPointed.current = false)}
        >
          <RunTable
            key={`${who} ${key}`}
            isRead={isRead}
            runs={shown}
            next={next}
            filter={filter}
            chosen={chosen}
          />
        </div>
      </div>
    </>
  );
}
