import type { Health } from 'flowgate-client/remote';
import { client } from '../api/service.js';
import { useReading } from '../api/reading.js';
import { settings } from '../api/settings.js';
import { href } from '../app/router.js';
import { StateMark } from '../ui/state/state-mark.js';
import { PlainText } from '../ui/text/plain-text.js';
import { Trouble } from '../ui/trouble.js';
import { healthSentences } from './health-sentences.js';

/** How the service is, in sentences. */
export function ServiceScreen() {
  const {
    value: health,
    error,
    again,
  } = useReading('health', (signal) => client.value.health({ signal })).value;
  return (
    <>
      <div class="head">
        <h1>Service</h1>
        <button type="button" onClick={again}>
          Ask again
        </button>
      </div>
      <div class="stack">
        <Trouble error={error} />
        {health === undefined ? null : <Sentences health={health} />}
        <section class="panel">
          <h2>What this is</h2>
          <dl class="facts">
            <dt>Flowgate</dt>
            <dd>{settings.value.version}</dd>
            <dt>Interface</dt>
            <dd>
              <a href={`${settings.value.api}openapi.json`}>openapi.json</a>
            </dd>
            <dt>Who is asked</dt>
            <dd>{WHO[settings.value.identity.kind]}</dd>
          </dl>
        </section>
      </div>
    </>
  );
}

const WHO = {
  none: 'nobody: whoever reaches the service may do everything',
  keys: 'everyone, for an API key',
  oidc: 'everyone, for a token of the single sign-on',
  host: 'everyone, by the application that this is a part of',
} as const;

function Sentences({ health }: { readonly health: Health }) {
  return (
    <section class="panel" aria-label="Health">
      <ul class="stack tight list">
        {healthSentences(health).map(({ isWell, sentence, view }) => (
          <li key={sentence} class="row">
            <StateMark state={isWell ? 'completed' : 'failed'}>{isWell ? 'well' : 'look'}</StateMark>
            <span>
              <PlainText text={sentence} />
            </span>
            {view === undefined ? null : <a href={href('runs', view)}>Show them</a>}
          </li>
        ))}
      </ul>
    </section>
  );
}
