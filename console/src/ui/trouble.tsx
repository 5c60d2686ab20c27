import { faultSentence } from '../api/fault-sentence.js';
import { PlainText } from './text/plain-text.js';

interface Props {
  readonly error: Error | null | undefined;
  readonly onAgain?: () => void;
}

/** Why something cannot be shown, and the way to try again. */
export function Trouble({ error, onAgain }: Props) {
  if (error === null || error === undefined) return null;
  return (
    <div class="notice bad" role="alert">
      <p>
        <PlainText text={faultSentence(error)} />
      </p>
      {onAgain === undefined ? null : (
        <button type="button" onClick={onAgain}>
          Try again
        </button>
      )}
    </div>
  );
}
