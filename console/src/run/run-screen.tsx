import { useReading } from '../api/reading.js';
import { client } from '../api/service.js';
import { here, href } from '../app/router.js';
import { stateOfRun } from '../ui/state/run-state.js';
import { StateMark } from '../ui/state/state-mark.js';
import { PlainText } from '../ui/text/plain-text.js';
import { Trouble } from '../ui/trouble.js';
import { ValueTable } from '../ui/values/value-table.js';

/** One run: how it stands, and what it gave. */
export function RunScreen() {
  const { workflow = '', run = '' } = here.value.query;
  const {
    value: record,
    error,
    again,
  } = useReading(`run ${workflow} ${run}`, (signal) =>
    client.value.getRun(workflow, run, { view: 'full', signal }),
  ).value;
  return (
    <>
      <div class="head">
        <h1>
          <a href={href('workflow', { workflow })}>
            <PlainText text={workflow} />
          </a>
        </h1>
        {record === undefined ? null : (
          <StateMark
            state={stateOfRun({
              status: record.status,
              cancelled: record.cancelled === true,
              waitingFor: record.waits[0]?.for ?? null,
            })}
          />
        )}
      </div>
      <Trouble error={error} onAgain={again} />
      {record === undefined ? null : (
        <div class="panel">
          <ValueTable value={record.result.state} />
        </div>
      )}
    </>
  );
}
