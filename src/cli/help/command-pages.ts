/** Headings of docs/cli.md under which several commands stand; the others have one of their own. */
const SHARED: Readonly<Record<string, string>> = {
  approve: 'approve-and-reject',
  cancel: 'cancel-and-pause',
  diff: 'versions-and-diff',
  export: 'export-and-import',
  import: 'export-and-import',
  pause: 'cancel-and-pause',
  reject: 'approve-and-reject',
  versions: 'versions-and-diff',
};

/** Where docs/cli.md explains a command. */
export function pageOf(command: string): string {
  return `docs/cli.md#${SHARED[command] ?? command}`;
}
