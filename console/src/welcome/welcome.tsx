import { href } from '../app/router.js';
import { SampleButton } from './sample-button.js';

/** The first thing that somebody sees of an empty service. */
export function Welcome() {
  return (
    <section class="welcome" aria-labelledby="welcome">
      <h1 id="welcome">Nothing is registered yet</h1>
      <p class="muted">
        A workflow says which units run in which order, and where a person decides. The sample is a refund
        with a gate in the middle: it runs here, calls nobody, and takes four seconds to come to its gate.
      </p>
      <div class="row">
        <SampleButton />
        <a class="button" href={href('new-workflow')}>
          Write a workflow
        </a>
      </div>
    </section>
  );
}
