import type { WhoAmI } from 'flowgate-client';
import { EXIT } from '../../exit-code.js';
import { FittedTable, type Column } from '../../terminal/fitted-table.js';
import { isForPeople } from '../../terminal/for-people.js';
import { print } from '../../terminal/output.js';
import { paintFor } from '../../terminal/paint.js';
import { oneLine } from '../../terminal/printable.js';
import { instantText } from '../output/listed.js';
import { showValue } from '../output/shown.js';
import { asking } from '../server/asking.js';
import { askedFormat, widthFor, type OutputArguments } from '../server/output-format.js';
import type { ServerArguments } from '../server/server-options.js';

export type WhoAmIArguments = ServerArguments & OutputArguments;

const HOW: Readonly<Record<WhoAmI['auth'], string>> = {
  none: 'nobody is asked who they are',
  key: 'by the API key',
  jwt: 'by the token',
  host: 'by the application around Flowgate:',
};

/** Says as whom the command line calls the server, and what they may there. */
export async function whoami(given: WhoAmIArguments): Promise<number> {
  const me = await asking(given, (client, signal) => client.whoami({ signal }));
  const format = askedFormat(given) ?? (isForPeople(process.stdout) ? 'table' : null);
  if (format === 'table' || format === 'wide')
    await print(linesOf(me, widthFor(format, process.stdout)).join('\n'));
  else await showValue(me, given);
  return EXIT.done;
}

function linesOf(me: WhoAmI, width: number): readonly string[] {
  const { auth, id, owner, name, groups, expiresAt, grants } = me;
  const how = auth === 'none' ? HOW.none : `${HOW[auth]} ${id}`;
  const facts: readonly (readonly [string, string])[] = [
    ['who', owner === null ? how : `${owner}, ${how}`],
    ['name', name ?? ''],
    ['groups', groups.join(', ')],
    ['expires', expiresAt === null ? '' : instantText(expiresAt)],
  ];
  const shown = facts
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${`${label}:`.padEnd(12)}${oneLine(text, 500)}`);
  return [...shown, ...(grants.length === 0 ? ['Nothing is granted.'] : grantLines(grants, width))];
}

const COLUMNS: readonly Column<WhoAmI['grants'][number]>[] = [
  { heading: 'NAMESPACE', cell: ({ namespace }) => namespace },
  { heading: 'WORKFLOWS', cell: ({ workflows }) => workflows?.join(' ') ?? '*', givesWay: true },
  { heading: 'PERMISSIONS', cell: ({ permissions }) => permissions.join(' '), givesWay: true },
];

function grantLines(grants: WhoAmI['grants'], width: number): readonly string[] {
  const table = new FittedTable(COLUMNS, grants, { width, paint: paintFor(process.stdout) });
  return [table.head(), ...grants.map((grant) => table.line(grant))];
}
