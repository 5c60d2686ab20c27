import { setImmediate } from 'node:timers/promises';
import { RegistrationOrder } from './registration-order.js';

/** Work that ends when it is told to, and the order in which it began and ended. */
function held() {
  const said: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => async (): Promise<string> => {
    said.push(`${name} begins`);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    said.push(`${name} ends`);
    return name;
  };
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await setImmediate();
  };
  return { said, work, end };
}

describe('registrations and starts of one replica', () => {
  it('happen in the order in which they were requested', async () => {
    const { said, work, end } = held();
    const order = new RegistrationOrder();
    const results = Promise.all([
      order.start(work('a')),
      order.register(work('first')),
      order.start(work('b')),
      order.register(work('second')),
      order.start(work('c')),
    ]);
    await setImmediate();
    for (const name of ['a', 'first', 'b', 'second', 'c']) await end(name);
    await expect(results).resolves.toEqual(['a', 'first', 'b', 'second', 'c']);
    expect(said).toEqual(
      ['a', 'first', 'b', 'second', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]),
    );
  });

  it('are not in one another’s way where no registration is between them', async () => {
    const { said, work, end } = held();
    const order = new RegistrationOrder();
    const starts = Promise.all([order.start(work('a')), order.start(work('b'))]);
    expect(said).toEqual(['a begins', 'b begins']);
    await end('b');
    await end('a');
    await starts;
  });

  it('go on after one that failed', async () => {
    const order = new RegistrationOrder();
    const failing = () => Promise.reject(new Error('no'));
    const failed = [order.start(failing), order.register(failing)].map((work) => work.catch(() => 'failed'));
    const registered = order.register(async () => 'registered');
    const started = order.start(async () => 'started');
    await expect(Promise.all([...failed, registered, started])).resolves.toEqual([
      'failed',
      'failed',
      'registered',
      'started',
    ]);
  });
});
