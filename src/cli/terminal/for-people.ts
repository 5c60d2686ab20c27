/**
 * Whether a person sits at the stream: nothing asks, moves or has colours where none does. With CI set nobody does, even
 * where a stream looks like a terminal.
 */
export function isForPeople({ isTTY }: { readonly isTTY?: boolean }): boolean {
  return isTTY === true && !isInCi(process.env['CI']);
}

function isInCi(ci = ''): boolean {
  return !['', '0', 'false'].includes(ci.toLowerCase());
}
