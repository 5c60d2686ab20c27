import type { TargetedKeyboardEvent } from 'preact';
import { useId } from 'preact/hooks';
import type { FormField, FormGroup } from '../form/schema-form.js';
import { PlainText } from '../../ui/text/plain-text.js';

/** A longer text is scrolled in its field. */
const MOST_ROWS = 10;

interface Props {
  readonly form: readonly FormGroup[];
  readonly texts: ReadonlyMap<string, string>;
  /** By the pointer of the field. */
  readonly faults: ReadonlyMap<string, string>;
  readonly onText: (pointer: string, text: string) => void;
}

/** The fields of an input, group by group. */
export function FormFields({ form, texts, faults, onText }: Props) {
  return (
    <>
      {form.map(({ label, fields }) => (
        <fieldset key={label} class="group">
          {label === '' ? null : (
            <legend>
              <PlainText text={label} />
            </legend>
          )}
          {fields.map((field) => (
            <Field
              key={field.pointer}
              field={field}
              text={texts.get(field.pointer) ?? field.initial}
              fault={faults.get(field.pointer)}
              onText={(text) => onText(field.pointer, text)}
            />
          ))}
        </fieldset>
      ))}
    </>
  );
}

interface FieldProps {
  readonly field: FormField;
  readonly text: string;
  readonly fault: string | undefined;
  readonly onText: (text: string) => void;
}

function Field({ field, text, fault, onText }: FieldProps) {
  const id = useId();
  const { label, description, bounds, isRequired } = field;
  const hint = [description, bounds].filter((part) => part !== null).join(' · ');
  return (
    <div class="field">
      <label class="field-name" for={id}>
        <PlainText text={label} />
        {isRequired ? '' : <span class="optional"> optional</span>}
      </label>
      <Control
        {...{ id, field, text, onText }}
        about={{ 'aria-invalid': fault !== undefined, 'aria-describedby': `${id}-about` }}
      />
      <span id={`${id}-about`} class={fault === undefined ? 'hint' : 'fault'}>
        <PlainText text={fault ?? hint} />
      </span>
    </div>
  );
}

interface ControlProps {
  readonly id: string;
  readonly field: FormField;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly about: { readonly 'aria-invalid': boolean; readonly 'aria-describedby': string };
}

function Control({ id, field: { kind, choices, isRequired }, text, onText, about }: ControlProps) {
  switch (kind) {
    case 'boolean':
    case 'choice': {
      const values = kind === 'boolean' ? [true, false] : choices;
      return (
        <select id={id} value={text} {...about} onChange={(event) => onText(event.currentTarget.value)}>
          <option value="">{isRequired ? 'Choose…' : '—'}</option>
          {values.map((value) => (
            <option key={JSON.stringify(value)} value={JSON.stringify(value)}>
              {typeof value === 'string' ? value : JSON.stringify(value)}
            </option>
          ))}
        </select>
      );
    }
    case 'json':
      return (
        <textarea
          id={id}
          class="code"
          spellcheck={false}
          value={text}
          {...about}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      );
    case 'text':
      return (
        <textarea
          id={id}
          class="lines"
          rows={text.split('\n', MOST_ROWS).length}
          value={text}
          {...about}
          onInput={(event) => onText(event.currentTarget.value)}
          onKeyDown={submitLine}
        />
      );
    case 'number':
    case 'integer':
      return (
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={text}
          {...about}
          onInput={(event) => onText(event.currentTarget.value)}
        />
      );
  }
}

/** A field of one line sends its form, as an input would; more lines begin with Shift. The button, not the form: it may be resting. */
function submitLine(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
  const { form, value } = event.currentTarget;
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing || value.includes('\n')) return;
  event.preventDefault();
  form?.querySelector<HTMLButtonElement>('[type=submit]')?.click();
}
