import { useEffect } from 'preact/hooks';
import { goneSince } from '../api/outage.js';
import { client } from '../api/service.js';
import { isUpgrading } from '../api/parts.js';
import { Ago } from '../ui/text/instants.js';

const ASK_EVERY_MS = 3_000;

/** What is shown stays while replicas of two builds stand behind one address. */
export function UpgradeBar() {
  if (!isUpgrading.value) return null;
  return (
    <div class="outage" role="status">
      <span>This service is being upgraded. What you see stays, and the rest follows by itself.</span>
    </div>
  );
}

/** What is shown stays while the service is gone; this says since when, and asks for it. */
export function OutageBar() {
  const since = goneSince.value;
  const isGone = since !== null;
  useEffect(() => {
    if (!isGone) return undefined;
    const timer = setInterval(() => {
      void client.value.health({ timeoutMs: ASK_EVERY_MS }).catch(() => undefined);
    }, ASK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isGone]);
  if (since === null) return null;
  return (
    <div class="outage" role="status">
      <span>
        The service has not answered since <Ago at={since} />. What you see is as it was; nothing can be
        changed until it is back.
      </span>
    </div>
  );
}
