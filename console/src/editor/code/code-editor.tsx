import { useEffect, useRef } from 'preact/hooks';
import { CodeView } from './code-view.js';

interface Props {
  /** Makes the editor in the shadow root, and takes it away again with it. */
  readonly open: (root: ShadowRoot) => CodeView;
}

/** The element in whose shadow root the editor is. */
export function CodeEditor({ open }: Props) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current === null) return undefined;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const view = open(root);
    return () => view.destroy();
  }, [open]);
  return <div ref={host} class="code-editor" />;
}
