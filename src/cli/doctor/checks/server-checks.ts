import type { FlowgateClient, Health } from 'flowgate-client';
import { isLoopback } from '../../../config/access/loopback.js';
import { messageOf } from '../../../errors/flowgate-error.js';
import { inCommandWords } from '../../command-words.js';
import { oneLine } from '../../terminal/printable.js';
import { finding, note, ok, type Check } from '../check.js';
import { unitChecks } from './unit-checks.js';

export interface AskedServer {
  readonly server: string;
  /** Somebody named it: then it should be there. */
  readonly isNamed: boolean;
  /** Throws for a server, a token or a namespace that is none. */
  readonly client: () => FlowgateClient;
  /** Our own version. */
  readonly version: string;
  readonly signal: AbortSignal;
}

/** A server that works responds much sooner. */
const WITHIN_MS = 4_000;

/** The server that commands here would ask: whether it is there, in which version, how it is, and whether its units answer. */
export async function serverChecks(asked: AskedServer): Promise<readonly Check[]> {
  const { server, isNamed, signal } = asked;
  const shown = oneLine(server, 200);
  let client: FlowgateClient;
  let health: Health;
  try {
    client = asked.client();
    health = await client.health({ signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]) });
  } catch (error) {
    signal.throwIfAborted();
    if (isNamed || !isUnreachable(error)) return [faultOf(error, shown)];
    return [
      note(
        'server',
        `None listens on ${shown}`,
        'Start one with `flowgate serve`, or say with --server where it is.',
      ),
    ];
  }
  const ofHealth = healthChecks(health, asked, shown);
  return [...ofHealth, ...(await unitsOf(client, asked))];
}

function healthChecks(health: Health, { version }: AskedServer, shown: string): readonly Check[] {
  const { ok: isOk, version: theirs, undecided = 0, stalled = 0, heldUp, accessFile, error } = health;
  const found: Check[] = [];
  const add = (message: string, advice: string) =>
    found.push(finding('server', oneLine(message, 500), advice));
  if (!isOk) add(`${shown} cannot serve: ${error ?? 'it does not say why'}.`, 'Read the log of the service.');
  if (theirs === undefined || !/^[\w.+-]{1,64}$/.test(theirs))
    add(
      `${shown} does not say which version it is.`,
      'Check --server, and what stands in front of the service.',
    );
  else if (lineOf(theirs) !== lineOf(version))
    add(
      `${shown} is Flowgate ${theirs}, and this command is ${version}.`,
      `Take the command of that version: npx flowgate@${theirs} ….`,
    );
  if (undecided > 0)
    add(
      `${undecided} runs are paused because their next step could not be decided.`,
      'Find why with `flowgate runs --status paused` and `flowgate describe`, then resume them.',
    );
  if (stalled > 0)
    add(
      `Runs have stalled ${stalled} times since the service began, by a defect.`,
      'Report it, with the log of the service.',
    );
  if (heldUp !== undefined)
    add(
      'A transaction of another program holds up the search, webhooks and streams.',
      'End it at the database; the log of the service names it.',
    );
  if (accessFile !== undefined) add(`${accessFile}.`, 'Correct the access file.');
  return found.length > 0 ? found : [ok('server', `${shown} is Flowgate ${theirs}`)];
}

/** Only those of a server on this machine: from here nobody can see what another one reaches, and none may choose where we call. */
async function unitsOf(client: FlowgateClient, { server, signal }: AskedServer): Promise<readonly Check[]> {
  if (!isLoopback(URL.parse(server)?.hostname.replace(/^\[|\]$/g, '') ?? ''))
    return [
      note('units', 'Not tried: the server is on another machine, and may reach what this one does not'),
    ];
  try {
    return await unitChecks(client, signal);
  } catch (error) {
    signal.throwIfAborted();
    return [note('units', `Not tried: ${oneLine(inCommandWords(messageOf(error)), 500)}`)];
  }
}

function faultOf(error: unknown, shown: string): Check {
  if ((error as Error).name === 'TimeoutError')
    return finding(
      'server',
      `${shown} does not answer within ${WITHIN_MS / 1_000} s.`,
      'See whether it is busy, and read its log.',
    );
  const message = oneLine(inCommandWords(messageOf(error)), 500);
  return finding(
    'server',
    message,
    isUnreachable(error)
      ? 'Start it, or say with --server where it is.'
      : 'Do as the sentence says, and ask again.',
  );
}

function isUnreachable(error: unknown): boolean {
  return error instanceof Error && error.name === 'FlowgateUnreachableError';
}

/** Before 1.0 a minor version may change the interface. */
function lineOf(version: string): string {
  const [major = '', minor = ''] = version.split('.');
  return major === '0' ? `0.${minor}` : major;
}
