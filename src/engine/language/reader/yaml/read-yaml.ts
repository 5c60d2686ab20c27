import { Composer, type Document, type Node, Parser, Lexer } from 'yaml';
import { type Fault, MAX_FAULTS } from '../../../../errors/document-errors.js';
import type { SourceText } from '../positions/source-text.js';
import { syntaxFaults } from './syntax-faults.js';
import { MAX_YAML_DEPTH, TOO_DEEP } from './yaml-depth.js';

/** Bytes of UTF-8. */
const MAX_YAML_BYTES = 2 * 1024 * 1024;
/** A realistic document of 2 MiB has 800,000; dense nonsense has three times as many and takes seconds. */
const MAX_LEXEMES = 1_000_000;
const MAX_PROPERTIES = 10_000;

type YamlResult =
  | { readonly ok: true; readonly root: Node | null }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * Reads one YAML 1.2 document (core schema) into its syntax tree. Bounded in time, memory and stack, whatever
 * the text: the reader of the library is recursive, so the depth is watched while the text is cut into lexemes.
 */
export function readYaml(source: SourceText): YamlResult {
  const bytes = new TextEncoder().encode(source.text).byteLength;
  if (bytes > MAX_YAML_BYTES) {
    return failed(source, 0, `the text has ${bytes} bytes: a workflow may have ${MAX_YAML_BYTES}`);
  }
  const documents: Document.Parsed[] = [];
  // A hostile text has a hundred thousand errors; without their stacks they cost milliseconds, not seconds.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    const refusal = compose(source, documents);
    if (refusal !== null) return refusal;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  const [document, second] = documents;
  if (document === undefined) return failed(source, 0, 'the text holds no document: write a workflow');
  const faults = syntaxFaults(source, [...document.errors, ...document.warnings]);
  if (faults.length > 0) return { ok: false, faults };
  if (second !== undefined) {
    const message =
      'a second document begins here: one text holds one workflow, so remove the `---` or `...`';
    return failed(source, second.range[0], message);
  }
  if (document.directives.yaml.version !== '1.2') {
    return failed(source, 0, 'the `%YAML` directive asks for another version than 1.2: remove it');
  }
  return { ok: true, root: document.contents };
}

function compose(source: SourceText, documents: Document.Parsed[]): YamlResult | null {
  const parser = new Parser();
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    // The library compares every key with every other; `yaml-values.ts` finds duplicates in linear time.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  const lexemes = new LexemeCount();
  for (const lexeme of new Lexer().lex(source.text)) {
    const refusal = parser.stack.length > MAX_YAML_DEPTH ? TOO_DEEP : lexemes.add(lexeme);
    if (refusal !== null) return failed(source, parser.offset, refusal);
    for (const token of parser.next(lexeme)) {
      if (token.type === 'error' && lexemes.addError()) return failed(source, token.offset, token.message);
      documents.push(...composer.next(token));
    }
    // What follows a second document is not even looked at.
    if (documents.length > 1) return null;
  }
  for (const token of parser.end()) documents.push(...composer.next(token));
  documents.push(...composer.end(true, source.text.length));
  return null;
}

/** Counts what a hostile text has far too much of. */
class LexemeCount {
  #all = 0;
  #properties = 0;
  #errors = 0;
  #isText = false;

  /** Returns a sentence once there are too many. */
  add(lexeme: string): string | null {
    const isProperty = !this.#isText && '&*!%'.includes(lexeme.charAt(0));
    // The lexer puts this mark before every plain or block scalar, whose own text can begin with anything.
    this.#isText = lexeme === '\u001F';
    if (++this.#all > MAX_LEXEMES) return 'the text is too dense to be a workflow: split it up';
    if (isProperty && ++this.#properties > MAX_PROPERTIES)
      return 'there are too many anchors, aliases, tags or directives here';
    return null;
  }

  addError(): boolean {
    return ++this.#errors > MAX_FAULTS;
  }
}

function failed(source: SourceText, offset: number, message: string): YamlResult {
  return { ok: false, faults: [{ path: '', ...source.positionAt(offset), message }] };
}
