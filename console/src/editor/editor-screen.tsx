import { useMemo } from 'preact/hooks';
import { client } from '../api/service.js';
import { useReading } from '../api/reading.js';
import { here } from '../app/router.js';
import { session } from '../identity/session.js';
import { Trouble } from '../ui/trouble.js';
import { drafts } from './draft-keeper.js';
import { Editor } from './editor.js';
import { START_TEXT } from './start-text.js';

/** A workflow as text beside its diagram: a new one, or the version that the address names. */
export function EditorScreen() {
  const { workflow = '', hash = '' } = here.value.query;
  const namespace = session.namespace.value;
  const of = useMemo(() => ({ namespace, workflowId: workflow }), [namespace, workflow]);
  const {
    value: registered,
    error,
    again,
  } = useReading(`edit ${workflow} ${hash}`, async (signal) =>
    workflow === ''
      ? null
      : client.value.getWorkflow(workflow, { hash: hash === '' ? undefined : hash, signal }),
  ).value;
  const isRead = registered !== undefined || error !== undefined;
  // By then the editor of another version is gone, and has kept what was typed in it.
  const draft = useMemo(() => drafts.read(of), [of, hash, isRead]);
  const text = draft?.text ?? (workflow === '' ? START_TEXT : registered?.yaml);
  // A draft is there without the service; only what it is compared to is not.
  const isReady = text !== undefined && isRead;
  if (!isReady)
    return error === undefined ? <p class="muted">Loading…</p> : <Trouble error={error} onAgain={again} />;
  return (
    <Editor
      key={`${namespace} ${workflow} ${hash}`}
      beginning={{ of, registered: registered ?? null, text, draft }}
    />
  );
}
