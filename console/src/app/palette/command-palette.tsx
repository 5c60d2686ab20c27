import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { client } from '../../api/service.js';
import { useReading } from '../../api/reading.js';
import { has } from '../../api/settings.js';
import { PlainText } from '../../ui/text/plain-text.js';
import { shownEntries } from '../navigation.js';
import { paletteIsOpen } from '../overlays.js';
import { paletteEntries, type PaletteEntry } from './palette-entries.js';
import { go } from '../router.js';

const close = (): void => {
  paletteIsOpen.value = false;
};

/** One box for everything that has an id, a label or words. */
export function CommandPalette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [isSent, setSent] = useState(false);
  const { value: workflows = [], isReading } = useReading('palette', async (signal) =>
    has('workflows') ? client.value.listWorkflows({ signal }) : [],
  ).value;
  const entries = paletteEntries(typed, {
    screens: shownEntries(),
    workflows: workflows.map(({ workflowId }) => workflowId),
  });
  // At once: who goes on typing types into it.
  useLayoutEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const open = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return;
    close();
    go(entry.screen, entry.query);
  };
  // Who types faster than the workflows are there means them as well.
  useEffect(() => {
    if (!isSent || isReading) return;
    setSent(false);
    open(entries[at]);
  }, [isSent, isReading]);
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') setSent(true);
    else if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, entries.length));
    else if (event.key === 'ArrowUp') setAt((at - 1 + entries.length) % Math.max(1, entries.length));
    else return;
    event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Find and go to"
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <input
        role="combobox"
        aria-label="A screen, a workflow, the beginning of a run's id, label:value, or words"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={entries.length === 0 ? undefined : `palette-${at}`}
        placeholder="Workflow, run id, label:value, words…"
        autoComplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
          setSent(false);
        }}
        onKeyDown={onKey}
      />
      <ul id="palette-list" class="list" role="listbox" aria-label="Found">
        {entries.map((entry, index) => (
          <li
            key={`${entry.kind}.${entry.title}`}
            id={`palette-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => open(entry)}
          >
            <PlainText text={entry.title} />
            <span class="muted small">{entry.kind}</span>
          </li>
        ))}
      </ul>
    </dialog>
  );
}
