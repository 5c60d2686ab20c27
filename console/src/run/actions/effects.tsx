import { PlainText } from '../../ui/text/plain-text.js';
import type { RunPicture } from '../log/picture.js';
import { rewindEffects } from './rewind-effects.js';

const MOST_NAMES = 12;

/** What is done again from a point on, and which decisions count there. */
export function Effects({ picture, seq }: { readonly picture: RunPicture; readonly seq: number }) {
  const { calledAgain, decisions } = rewindEffects(picture, seq);
  return (
    <div class="effects">
      <p>
        {calledAgain.length === 0 ? 'Nothing is called again.' : 'Called again: '}
        {calledAgain.slice(0, MOST_NAMES).map((unitId) => (
          <code key={unitId}>
            <PlainText text={unitId} />{' '}
          </code>
        ))}
        {calledAgain.length > MOST_NAMES ? `and ${calledAgain.length - MOST_NAMES} more` : null}
      </p>
      {decisions.length === 0 ? null : (
        <p>
          Decisions that count:{' '}
          {decisions.map(({ id, unitId, gate }) => (
            <span key={id}>
              <code>
                <PlainText text={unitId} />
              </code>{' '}
              ({gate?.approved === true ? 'approved' : 'rejected'} by{' '}
              <PlainText text={gate?.responder ?? ''} />){' '}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}
