import { useSignal } from '@preact/signals';
import type { JsonValue, MemoryHit } from 'flowgate-client/remote';
import { client } from '../api/service.js';
import { useReading } from '../api/reading.js';
import { here, href, refine } from '../app/router.js';
import { Ago } from '../ui/text/instants.js';
import { PlainText } from '../ui/text/plain-text.js';
import { Trouble } from '../ui/trouble.js';

const MOST = 25;
/** Of an output, what a row has room for. */
const MOST_CHARACTERS = 600;

/** What units have said, by words. */
export function MemoryScreen() {
  const { q = '' } = here.value.query;
  const typed = useSignal(q);
  const submit = (event: Event): void => {
    event.preventDefault();
    refine({ q: typed.value.trim() });
  };
  return (
    <>
      <div class="head">
        <h1>Memory</h1>
      </div>
      <form class="filters" role="search" onSubmit={submit}>
        <label class="field grows">
          <span>Words in what units have said</span>
          <input
            type="search"
            value={typed.value}
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="primary">
          Search
        </button>
      </form>
      {q === '' ? (
        <p class="muted">From three letters on, the beginning of a word is enough.</p>
      ) : (
        <Hits key={q} words={q} />
      )}
    </>
  );
}

function Hits({ words }: { readonly words: string }) {
  const { value, error, again } = useReading(`memory ${words}`, (signal) =>
    client.value.searchMemory(words, MOST, { signal }),
  ).value;
  if (error !== undefined) return <Trouble error={error} onAgain={again} />;
  if (value === undefined) return <p class="muted">Searching…</p>;
  if (value.results.length === 0) {
    return (
      <div class="empty">
        <h2>Nothing found</h2>
        <p>No unit has said that, or the runs are gone.</p>
      </div>
    );
  }
  return (
    <div class="table folds">
      <table>
        <thead>
          <tr>
            <th>What was said</th>
            <th>Run</th>
            <th>Unit</th>
            <th>When</th>
            <th class="number">Match</th>
          </tr>
        </thead>
        <tbody>
          {value.results.map((hit) => (
            <Row key={hit.id} hit={hit} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ hit: { content, score, metadata } }: { readonly hit: MemoryHit }) {
  const { workflowId, runId, unitId, at } = metadata as Readonly<Record<string, JsonValue | undefined>>;
  const isOfRun = typeof workflowId === 'string' && typeof runId === 'string';
  return (
    <tr>
      <td class="said">
        <PlainText
          text={content.length > MOST_CHARACTERS ? `${content.slice(0, MOST_CHARACTERS)}…` : content}
        />
      </td>
      <td class="id">
        {isOfRun ? (
          <a data-step href={href('run', { workflow: workflowId, run: runId })} title={runId}>
            <PlainText text={workflowId} />
          </a>
        ) : null}
      </td>
      <td class="id">{typeof unitId === 'string' ? <PlainText text={unitId} /> : null}</td>
      <td class="id muted">{typeof at === 'number' ? <Ago at={at} /> : null}</td>
      <td class="number">{Math.round(score * 100)} %</td>
    </tr>
  );
}
