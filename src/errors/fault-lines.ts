/** A message with more lines would not be read. */
const MAX_LINES = 20;

/** Every fault on a line of its own, up to 20; the error's `details` have the others. */
export function faultLines(messages: readonly string[]): string {
  if (messages.length === 1) return messages[0] ?? '';
  const lines = messages
    .slice(0, MAX_LINES)
    .map((message) => message.replaceAll(/\s*[\n\r\u2028\u2029]\s*/g, ' '));
  const others = messages.length - lines.length;
  return (others === 0 ? lines : [...lines, `and ${others} more in details`]).join('\n');
}
