import { readFileSync } from 'node:fs';
import { DEFAULTS } from '../engine/engine-defaults.js';
import { UnknownKeyError } from './access-errors.js';
import { messageOf, textOf, type FlowgateError } from './flowgate-error.js';
import { asNotFound, IdempotencyConflictError } from './request-errors.js';
import { NothingToCompensateError, UnknownRunError, UnknownWorkflowError } from './run-errors.js';
import {
  placesOfWords,
  reworded,
  worded,
  WORDS_OF_CLIENTS,
  WORDS_OF_COMMANDS,
  WORDS_OF_HTTP,
  type Surface,
} from './wording.js';

const CLIENT_OF_JAVA = 'clients/java/src/main/java/io/flowgate/client/internal/http/ClientWords.java';
const allWordsOf = (surface: Surface): Readonly<Record<string, string>> =>
  JSON.parse(worded((words) => JSON.stringify(words), surface)) as Readonly<Record<string, string>>;
const BEFORE = placesOfWords();
const inOneText = (error: FlowgateError, surface: Surface): string => {
  const { message, detail } = textOf(error, surface);
  return detail === undefined ? message : `${message}\n${detail}`;
};

describe('an error', () => {
  const error = new NothingToCompensateError('r', true);

  it.each([
    ['http', 'read the run (view=full) to see how it stands'],
    ['host', 'its compensation in listRuns() says how it stands'],
    ['client', 'its compensation in listRuns() says how it stands'],
    ['mcp', 'its compensation in list_runs says how it stands'],
    ['command', 'flowgate describe <runId> shows how it stands'],
  ] as const)('says what to do in the words of %s', (surface, wayOut) => {
    const message = `No compensation of the run r has failed, so none is tried again: ${wayOut}`;
    expect(textOf(error, surface)).toEqual({ message, detail: undefined });
    expect(messageOf(error, surface)).toBe(message);
  });

  it('has the words of a host for whoever catches it', () => {
    expect(error.message).toBe(textOf(error, 'host').message);
    expect(messageOf(error)).toBe(error.message);
  });

  it('keeps its words as another one that says the same', () => {
    const unknown = new UnknownWorkflowError(
      'w',
      ({ setting }) => `set ${setting('FLOWGATE_REGISTRY')}=durable`,
    );
    const read = asNotFound(unknown);
    expect(read.detail).toBe('set registry=durable');
    expect(textOf(read, 'http')).toEqual({
      message: 'Unknown workflow: w',
      detail: 'set FLOWGATE_REGISTRY=durable',
    });
  });

  it('shows nothing of its other words when it is printed', () => {
    expect(Object.keys(new UnknownKeyError('k'))).toEqual(Object.keys(new UnknownWorkflowError('w')));
  });

  it('names the options of a host that are the settings of the service', () => {
    for (const variable of [
      'MAX_WORKFLOWS',
      'MAX_DEFINITIONS',
      'FORK_PAST_GATES',
      'RETENTION_DAYS',
      'REGISTRY',
    ]) {
      const option = worded(({ setting }) => setting(`FLOWGATE_${variable}`), 'host');
      expect(Object.keys(DEFAULTS)).toContain(option);
      expect(worded(({ setting }) => setting(`FLOWGATE_${variable}`), 'client')).toBe(`FLOWGATE_${variable}`);
    }
  });
});

describe('what a service has said', () => {
  it('becomes what a client says, and what a command says, and is worded there as an error itself would be', () => {
    const error = new UnknownKeyError('k');
    const [ofHttp, ofClient] = [messageOf(error, 'http'), messageOf(error, 'client')];
    expect(reworded(ofHttp, WORDS_OF_HTTP, WORDS_OF_CLIENTS)).toBe(ofClient);
    expect(reworded(ofClient, WORDS_OF_CLIENTS, WORDS_OF_COMMANDS)).toBe(messageOf(error, 'command'));
    expect(ofClient).toBe('There is no key k: listKeys() lists those that there are');
  });

  it('stays as it is where nothing of it is ours', () => {
    for (const text of ['GET /keys', 'Unit a failed after 1 attempt(s): HTTP 401', 'listKeys() $& $1'])
      expect(reworded(text, WORDS_OF_HTTP, WORDS_OF_CLIENTS)).toBe(text);
  });

  it.each([
    new IdempotencyConflictError('send a new key'),
    new IdempotencyConflictError('k: send a new key, The Idempotency-Key'),
    new UnknownKeyError('There is no key k: GET /keys lists those that there are'),
    new UnknownWorkflowError('send a new key'),
    new UnknownWorkflowError('w', ': send what GET …/export answered'),
    new UnknownRunError('GET /keys lists those that there are'),
  ])('keeps what somebody else has put into it: $message', (error) => {
    const [ofHttp, ofClient] = [inOneText(error, 'http'), inOneText(error, 'client')];
    expect(reworded(ofHttp, WORDS_OF_HTTP, WORDS_OF_CLIENTS)).toBe(ofClient);
    expect(reworded(ofClient, WORDS_OF_CLIENTS, WORDS_OF_COMMANDS)).toBe(inOneText(error, 'command'));
  });

  it('is worded in the client for Java by the same table', () => {
    const java = readFileSync(CLIENT_OF_JAVA, 'utf8').replaceAll(/\s+/g, ' ');
    const [http, client] = [allWordsOf('http'), allWordsOf('client')];
    const words = Object.keys(http).map((name) =>
      [`"${BEFORE[name]?.replaceAll('\\', '\\\\')}"`, `"${http[name]}"`, `"${client[name]}"`].join(', '),
    );
    const said = java.replaceAll('new Word( "', 'new Word("');
    expect(words.filter((word) => !said.includes(`new Word(${word})`))).toEqual([]);
    expect(said.match(/new Word\(/g)).toHaveLength(words.length);
  });
});
