import { signal } from '@preact/signals';
import type { WorkflowVersionDetails } from 'flowgate-client/remote';
import { loadPart } from '../api/parts.js';
import { client } from '../api/service.js';
import { has } from '../api/settings.js';
import { askReader } from '../documents/reader.js';
import { NO_NAMES, united, type KnownNames } from '../documents/known-names.js';
import type { TextReading } from '../documents/text-reading.js';
import { may } from '../identity/who-am-i.js';
import type { FlowTree } from '../run/flow/flow-node.js';
import { BindingsText } from './bindings-text.js';
import { faultsOfRefusal, type Mark } from './checking/fold-faults.js';
import { nearestMark } from './checking/nearest-mark.js';
import { TextChecker, type CheckState } from './checking/text-checker.js';
import { CodeView } from './code/code-view.js';
import type { WritingHelp } from './code/writing-help.js';
import { DraftKeeper } from './draft-keeper.js';
import type { Draft, DraftOf } from './drafts.js';
import type { Schema } from './language/schema-walk.js';
import { isSameFlow } from './diagram/same-flow.js';
import { pathOf, unitAt } from './diagram/unit-at-line.js';
import { publishedSchema, usesOfOthers } from './service-knowledge.js';

/** Once the cursor rests. */
const DESCRIBE_AFTER_MS = 120;

/** What a text begins as, and what is known of it. */
export interface Beginning {
  readonly of: DraftOf;
  /** The version that it is compared to; null: none is registered. */
  readonly registered: WorkflowVersionDetails | null;
  readonly text: string;
  /** Null: it is no draft. */
  readonly draft: Draft | null;
}

/** A document while it is written: its faults, its flow, its draft, and what is done with it. */
export class EditorModel {
  readonly marks = signal<readonly Mark[]>([]);
  readonly checking = signal<CheckState>('checking');
  /** Of the last text without faults; null: there was none yet. */
  readonly flow = signal<TextReading['flow']>(null);
  /** The text has faults, so the flow is of an older one. */
  readonly isFlowOld = signal(false);
  /** Where the cursor is in the flow; null: at no unit. */
  readonly selected = signal<string | null>(null);
  /** What the schema says of the key at the cursor. */
  readonly described = signal<{ readonly key: string; readonly text: string } | null>(null);
  /** The text as it was when it was read last: a picture of it that costs nothing while somebody types. */
  readonly readText = signal('');
  readonly bindings = new BindingsText();
  readonly trouble = signal<Error | null>(null);
  readonly isBusy = signal(false);
  readonly registered = signal<WorkflowVersionDetails | null>(null);
  /** The version that is about to be started. */
  readonly starting = signal<WorkflowVersionDetails | null>(null);

  readonly draft: DraftKeeper;
  readonly #ended = new AbortController();
  readonly #checker: TextChecker;
  #view: CodeView | null = null;
  /** The text while no view has it: before there is one, and once the editor is left. */
  #unseenText: string;
  #help: WritingHelp | null = null;
  #schema: Schema | null = null;
  #own: KnownNames = NO_NAMES;
  #others: KnownNames = NO_NAMES;
  #unitLines: TextReading['unitLines'] = new Map();
  #describeTimer: ReturnType<typeof setTimeout> | null = null;

  constructor(
    private readonly beginning: Beginning,
    /** Called once a version is registered. */
    private readonly onRegistered: (workflowId: string) => void,
  ) {
    this.registered.value = beginning.registered;
    this.#unseenText = beginning.text;
    this.draft = new DraftKeeper({
      of: beginning.of,
      base: beginning.draft?.base ?? beginning.registered?.definitionHash ?? null,
      text: () => this.text,
      length: () => this.#view?.length ?? 0,
    });
    this.#checker = new TextChecker({
      text: () => this.text,
      length: () => this.#view?.length ?? 0,
      read: (text) => askReader(text, 'reading'),
      ask: has('registration')
        ? (text, asking) => {
            if (!may('workflow:register')) throw new Error('This needs the permission workflow:register.');
            return client.peek().validateOnService(text, this.bindings.value, { signal: asking });
          }
        : null,
      onReading: (reading, text) => this.#take(reading, text),
      onMarks: (marks) => {
        this.marks.value = marks;
        this.#view?.show(marks);
      },
      onState: (state) => (this.checking.value = state),
    });
  }

  get text(): string {
    return this.#view?.text ?? this.#unseenText;
  }

  /** Makes the editor in the root, and begins to check. */
  readonly open = (root: ShadowRoot): CodeView => {
    const view = new CodeView(root, {
      text: this.beginning.text,
      onChange: () => this.#changed(),
      onMove: () => this.#describeSoon(),
      onRegister: () => void this.register(),
      onStart: () => void this.start(),
      onMend: () => this.mendNearest(),
    });
    this.#view = view;
    this.#checker.changed();
    void this.#addHelp(view);
    return view;
  };

  /** Reads what the service knows. Returns what ends all of it, with the draft kept. */
  begin(): () => void {
    const { signal: ended } = this.#ended;
    void publishedSchema(ended).then((schema) => (this.#schema = schema));
    void usesOfOthers(ended).then((uses) => (this.#others = { ...NO_NAMES, uses }));
    const endDraft = this.draft.begin();
    return () => {
      endDraft();
      if (this.#describeTimer !== null) clearTimeout(this.#describeTimer);
      this.#ended.abort();
      this.#checker.end();
      this.#unseenText = this.text;
      this.#view = null;
    };
  }

  writeBindings(text: string): void {
    this.bindings.write(text);
    if (this.bindings.fault.value === null) this.#checker.changed();
  }

  replace(text: string): void {
    this.#view?.replace(text);
    this.#view?.focus();
  }

  goTo(mark: Pick<Mark, 'line' | 'column'>): void {
    this.#view?.goTo(mark);
  }

  /** Shows where the unit at a path of the flow is declared. */
  goToPath(path: string): void {
    const unitId = this.#tree()?.nodes.get(path)?.unitId ?? null;
    const line = unitId === null ? undefined : this.#unitLines.get(unitId)?.first;
    this.selected.value = path;
    if (line !== undefined) this.goTo({ line, column: null });
  }

  suggestionOf(mark: Mark): string | null {
    return this.#view?.suggestionOf(mark) ?? null;
  }

  mend(mark: Mark): void {
    this.#view?.mend(mark);
    this.#view?.focus();
  }

  mendNearest(): void {
    const view = this.#view;
    if (view === null) return;
    const mark = nearestMark(this.marks.peek(), view.cursor.line, (one) => view.suggestionOf(one) !== null);
    if (mark !== null) view.mend(mark);
  }

  /** Back to what is registered, or to the beginning of a new workflow. */
  discard(text: string): void {
    this.replace(text);
    this.draft.drop();
  }

  /** Goes on from the draft of another tab, which can be undone. */
  take(foreign: Draft): void {
    this.replace(foreign.text);
    this.draft.take(foreign);
  }

  async register(): Promise<void> {
    const workflowId = await this.#registered();
    if (workflowId !== null) this.onRegistered(workflowId);
  }

  /** Asks for the input of a run of the text and bindings as they are: what has changed is registered first. */
  async start(): Promise<void> {
    const { registered } = this;
    const isSame =
      registered.value?.current === true && registered.value.yaml === this.text && this.bindings.isRegistered;
    const workflowId = isSame ? (registered.value?.workflowId ?? null) : await this.#registered();
    if (workflowId === null) return;
    await this.#busily(async () => {
      registered.value = await client.peek().getWorkflow(workflowId, { signal: this.#ended.signal });
      this.starting.value = registered.value;
    });
  }

  /** What helps to write is loaded while the editor is there already. */
  async #addHelp(view: CodeView): Promise<void> {
    const { writingHelp } = await loadPart(() => import('./code/writing-help.js'));
    if (this.#view !== view) return;
    this.#help = writingHelp({
      schema: () => this.#schema,
      names: () => united(this.#own, this.#others),
    });
    view.add(this.#help.extension);
    this.#describeSoon();
  }

  /** Null: it was refused, and why is shown. */
  async #registered(): Promise<string | null> {
    let registeredId: string | null = null;
    const refusal = this.#whyNotRegistered();
    if (refusal !== null) {
      this.trouble.value = new Error(refusal);
      return null;
    }
    await this.#busily(async () => {
      const { text } = this;
      const bindings = this.bindings.value;
      const { workflowId } = await client.peek().loadAndRegister(text, bindings);
      this.bindings.registered(bindings);
      // What was written meanwhile is registered nowhere.
      if (this.text === text) this.draft.drop();
      registeredId = workflowId;
    });
    return registeredId;
  }

  #whyNotRegistered(): string | null {
    if (!has('registration')) return 'This service takes no workflows here: start those that it has.';
    if (!may('workflow:register'))
      return 'What has changed is registered first, which needs the permission workflow:register.';
    return this.bindings.fault.value === null
      ? null
      : 'Mend the bindings below the text first: they are no JSON object.';
  }

  async #busily(act: () => Promise<void>): Promise<void> {
    if (this.isBusy.value) return;
    this.isBusy.value = true;
    this.trouble.value = null;
    try {
      await act();
    } catch (error) {
      const faults = faultsOfRefusal(error);
      if (faults.length > 0) this.#checker.refused(faults);
      else this.trouble.value = error as Error;
    } finally {
      this.isBusy.value = false;
    }
  }

  #take({ faults, names, flow, unitLines }: TextReading, text: string): void {
    this.readText.value = text;
    this.#own = faults.length === 0 ? names : united(names, this.#own);
    this.isFlowOld.value = faults.length > 0;
    if (flow === null) return;
    // What looks the same is not laid out again.
    if (!isSameFlow(flow, this.flow.peek())) this.flow.value = flow;
    this.#unitLines = unitLines;
    this.#describeSoon();
  }

  #changed(): void {
    this.#checker.changed();
    this.draft.changed();
  }

  #describeSoon(): void {
    if (this.#describeTimer !== null) clearTimeout(this.#describeTimer);
    this.#describeTimer = setTimeout(() => this.#describe(), DESCRIBE_AFTER_MS);
  }

  #describe(): void {
    if (this.#view === null) return;
    const { cursor } = this.#view;
    this.described.value = this.#help?.describe(this.text, cursor) ?? null;
    const unitId = unitAt(this.#unitLines, cursor.line);
    this.selected.value = unitId === null ? null : pathOf(this.#tree(), unitId);
  }

  #tree(): FlowTree | null {
    const flow = this.flow.peek();
    return flow === 'too-large' ? null : flow;
  }
}
