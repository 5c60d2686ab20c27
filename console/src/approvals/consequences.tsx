import type { GateItem } from 'flowgate-client/remote';
import { client } from '../api/service.js';
import { useReading } from '../api/reading.js';
import { documentOf, flowTreeFor } from '../documents/document-of.js';
import { whatFollows, type Follow } from '../run/flow/what-follows.js';
import { Ago } from '../ui/text/instants.js';
import { PlainText } from '../ui/text/plain-text.js';
import { onTimeoutOf } from './on-timeout.js';

const BY_ITSELF = {
  reject: 'and then counts as rejected',
  approve: 'and then counts as approved',
  fail: 'and then fails the run',
} as const;

/** What comes after a yes and after a no, by the definition that the run is pinned to, and what comes if nobody decides. */
export function Consequences({ gate }: { readonly gate: GateItem }) {
  const { workflowId, definitionHash, path, onReject, unitId, dueAt } = gate;
  const { value, isReading } = useReading(
    `follows ${workflowId} ${definitionHash} ${path}`,
    async (signal) => {
      const { yaml } = await client.value.getWorkflow(workflowId, { hash: definitionHash, signal });
      const [document, tree] = await Promise.all([documentOf(yaml), flowTreeFor(yaml)]);
      return { document, follows: tree === null ? null : whatFollows(tree, path, onReject) };
    },
  ).value;
  const follows = value?.follows ?? null;
  // What might be another thing in a moment is not said: somebody may decide by it.
  if (value === undefined && isReading) return <p class="muted">Reading what follows…</p>;
  return (
    <>
      <div class="consequences">
        <section>
          <h3>If you approve</h3>
          {follows === null ? <p>The run goes on.</p> : <Follows follows={follows.approval} />}
        </section>
        <section>
          <h3>If you reject</h3>
          {follows === null ? (
            <p>{onReject === 'fail' ? 'The run fails.' : 'The run goes on, and knows of the rejection.'}</p>
          ) : (
            <Follows follows={follows.rejection} />
          )}
        </section>
      </div>
      {dueAt === undefined ? null : (
        <p class="muted">
          It closes by itself <Ago at={dueAt} />
          {value === undefined ? '' : ` ${BY_ITSELF[onTimeoutOf(value.document, unitId)]}`}.
        </p>
      )}
    </>
  );
}

function Follows({ follows }: { readonly follows: readonly Follow[] }) {
  return (
    <ol class="follows">
      {follows.map((follow, index) => (
        <li key={index} style={{ '--depth': follow.depth }}>
          <FollowText follow={follow} />
        </li>
      ))}
    </ol>
  );
}

function FollowText({ follow }: { readonly follow: Follow }) {
  switch (follow.kind) {
    case 'unit':
      return (
        <>
          <PlainText text={follow.unitId} />{' '}
          <span class="muted small">
            <PlainText text={follow.uses} />
            {follow.condition === null ? null : (
              <>
                {' if '}
                <PlainText text={follow.condition} />
              </>
            )}
          </span>
        </>
      );
    case 'gate':
      return (
        <>
          the gate <PlainText text={follow.unitId} />
        </>
      );
    case 'note':
    case 'end':
      return (
        <span class="muted">
          <PlainText text={follow.text} />
        </span>
      );
  }
}
