import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The tokens of the console: they reach into the shadow root, and know light and dark themselves. */
const look = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { font: 'var(--code)', overflow: 'auto' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': {
    backgroundColor: 'var(--sunken)',
    color: 'var(--muted)',
    border: '0',
    borderInlineEnd: '1px solid var(--hairline)',
  },
  '.cm-activeLineGutter': { backgroundColor: 'var(--hover)', color: 'var(--text)' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--hover) 60%, transparent)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-content ::selection, .cm-line::selection': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 32%, transparent)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--selected)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--selected)',
    outline: '1px solid var(--control)',
  },
  '.cm-expression': { color: 'var(--gate)' },
  '.cm-expression span': { color: 'inherit' },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    border: '1px solid var(--hairline)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shadow)',
    color: 'var(--text)',
    font: 'var(--normal)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { font: 'var(--code)', maxHeight: '15em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px', minHeight: '24px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--on-accent)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--muted)', font: 'var(--small)', fontStyle: 'normal' },
  'li[aria-selected] .cm-completionDetail': { color: 'var(--on-accent)' },
  '.cm-tooltip.cm-completionInfo, .cm-description': { maxWidth: '360px', padding: '8px 12px' },
  '.cm-tooltip-lint': { maxWidth: '560px' },
  '.cm-diagnostic': { padding: '6px 12px', overflowWrap: 'anywhere' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--failed)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--paused)' },
  '.cm-diagnosticAction': {
    minHeight: '24px',
    marginInlineStart: '8px',
    border: '1px solid var(--control)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    font: 'var(--normal)',
  },
  '.cm-lintRange-error': { backgroundImage: 'none', borderBottom: '2px solid var(--failed)' },
  '.cm-lintRange-warning': { backgroundImage: 'none', borderBottom: '2px dotted var(--paused)' },
  '.cm-lintPoint::after': { borderBottomColor: 'var(--failed)' },
  '.cm-gutter-lint .cm-gutterElement': { display: 'flex', alignItems: 'center', padding: '0 4px' },
  '.cm-lint-marker': { width: '1em', height: '1em', content: 'none' },
  '.cm-lint-marker-error::before': { content: '"■"', color: 'var(--failed)' },
  '.cm-lint-marker-warning::before': { content: '"▲"', color: 'var(--paused)' },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--text)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--hairline)' },
  '.cm-panel.cm-search': { padding: '8px', font: 'var(--normal)' },
  '.cm-panel.cm-search label': { fontSize: 'inherit', whiteSpace: 'nowrap' },
  '.cm-textfield': {
    minHeight: '24px',
    border: '1px solid var(--control)',
    backgroundColor: 'var(--surface)',
    color: 'var(--text)',
    fontSize: 'inherit',
  },
  '.cm-button': {
    minHeight: '24px',
    border: '1px solid var(--control)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface)',
    backgroundImage: 'none',
    color: 'var(--text)',
    fontSize: 'inherit',
  },
  '.cm-panel.cm-search [name=close]': { minWidth: '24px', minHeight: '24px', color: 'var(--text)' },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--paused) 24%, transparent)' },
  '.cm-searchMatch-selected': { outline: '2px solid var(--paused)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--running)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--completed)' },
  { tag: [tags.comment, tags.lineComment, tags.meta], color: 'var(--muted)' },
  { tag: [tags.keyword, tags.typeName, tags.labelName], color: 'var(--gate)' },
]);

export const codeTheme: Extension = [look, syntaxHighlighting(colours)];
