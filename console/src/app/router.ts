import { batch, computed, signal } from '@preact/signals';
import { namespaceIn, session } from '../identity/session.js';
import { addressOf, hrefOf } from './address.js';

const location = signal(window.location.href);

/** What one looks at now. */
export const here = computed(() => addressOf(new URL(location.value)));

type Given = Readonly<Record<string, string | undefined>>;

/** The address of a screen, in the namespace that one is in. */
export function href(screen: string, query: Given = {}): string {
  return hrefOf(screen, { ...query, ns: session.namespace.value ?? undefined });
}

/** Shows a screen; the way back leads to the one before. */
export function go(screen: string, query: Given = {}): void {
  move('pushState', href(screen, query));
}

/** Changes what the address says of the same screen, without a step back for each: filters, tabs, what is selected. */
export function refine(query: Given): void {
  const { screen, query: before } = here.value;
  move('replaceState', href(screen, { ...before, ...query }));
}

/** Shows another screen in the place of this one. */
export function replace(screen: string, query: Given = {}): void {
  move('replaceState', href(screen, query));
}

function move(how: 'pushState' | 'replaceState', target: string): void {
  history[how](null, '', target);
  arrive();
  if (how === 'pushState') {
    window.scrollTo(0, 0);
    // Whoever listens to the page, or walks it by keyboard, begins at what is new.
    requestAnimationFrame(() => document.getElementById('main')?.focus({ preventScroll: true }));
  }
}

/** The namespace is a part of what one looks at: who goes back to another one is in it again. */
function arrive(): void {
  batch(() => {
    location.value = window.location.href;
    session.namespace.value = namespaceIn(here.value.query['ns']);
  });
}

/** Links inside the console change the address without loading the page anew. Returns what ends that. */
export function followLinks(): () => void {
  window.addEventListener('popstate', arrive);
  document.addEventListener('click', onClick);
  return () => {
    window.removeEventListener('popstate', arrive);
    document.removeEventListener('click', onClick);
  };
}

function onClick(event: MouseEvent): void {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (
    !isPlain ||
    event.defaultPrevented ||
    link === null ||
    link.target !== '' ||
    link.hasAttribute('download')
  )
    return;
  const target = new URL(link.href);
  if (
    target.origin !== window.location.origin ||
    folderOf(target) !== folderOf(new URL(window.location.href))
  )
    return;
  if (target.hash !== '' && target.pathname === window.location.pathname) return;
  event.preventDefault();
  move('pushState', target.href);
}

function folderOf({ pathname }: URL): string {
  return pathname.slice(0, pathname.lastIndexOf('/') + 1);
}
