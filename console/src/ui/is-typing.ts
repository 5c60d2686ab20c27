/** Whether the key goes into a text: of a field inside a shadow root, the event itself names only what is around it. */
export function isTyping(event: Event): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
  );
}
