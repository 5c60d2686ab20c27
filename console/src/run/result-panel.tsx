import type { FullRunRecord } from 'flowgate-client/remote';
import { ValueTable } from '../ui/values/value-table.js';

/** What the run gave, once it has; of a workflow without an output that is its state, which has a tab of its own. */
export function ResultPanel({ record }: { readonly record: FullRunRecord }) {
  const { output, tokenUsage, cost } = record.result;
  if (output === undefined && tokenUsage === 0 && cost === 0) return null;
  return (
    <section class="panel result" aria-label="Result">
      {output === undefined ? null : <ValueTable value={output} />}
      {tokenUsage === 0 && cost === 0 ? null : (
        <p class="muted small">
          {tokenUsage.toLocaleString()} tokens, cost {cost}
        </p>
      )}
    </section>
  );
}
