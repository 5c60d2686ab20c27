/** More lines than this are no message any more. */
const MAX_LINES = 20;

/** Every fault on a line of its own, up to 20; what is left out stands in the error's `details`. */
export function faultLines(messages: readonly string[]): string {
  if (messages.length === 1) return messages[0] ?? '';
  const lines = messages
    .slice(0, MAX_LINES)
    .map((message) => message.replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, ' '));
  const others = messages.length - lines.length;
  return (others === 0 ? lines : [...lines, `and ${others} more in details`]).join('\n');
}
