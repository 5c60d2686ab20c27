import { identityKey } from '../api/service.js';
import { here } from '../app/router.js';
import { Tabs } from '../ui/tabs.js';
import { DecidedGates } from './decided-gates.js';
import { LinkedGate } from './linked-gate.js';
import { OpenGates } from './open-gate-list.js';

/** What waits for people, and what they decided. */
export function ApprovalsScreen() {
  const { tab = 'open', run, gate } = here.value.query;
  // What somebody else saw, or of another namespace, is gone with them; comments that were not sent are kept in the tab.
  const who = identityKey.value;
  if (run !== undefined && gate !== undefined)
    return <LinkedGate key={`${who} ${run} ${gate}`} runId={run} gateId={gate} />;
  return (
    <>
      <div class="head">
        <h1>Approvals</h1>
      </div>
      <div class="stack">
        <Tabs
          label="Approvals"
          tabs={[
            ['open', 'Open'],
            ['decided', 'Decided'],
          ]}
          current={tab}
        />
        {tab === 'decided' ? <DecidedGates key={who} /> : <OpenGates key={who} />}
      </div>
    </>
  );
}
