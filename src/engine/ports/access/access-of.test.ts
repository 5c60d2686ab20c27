import { ConfigError } from '../../../errors/service-errors.js';
import { InMemoryRunStore } from '../../in-memory/in-memory-run-store.js';
import { accessOf } from './access-of.js';

describe('the keys of a store', () => {
  it('are kept by a store of ours', () => {
    const store = new InMemoryRunStore();
    expect(accessOf(store)).toBe(store.access);
  });

  it('are missing from a host’s store without them, which is told what to do', () => {
    expect(() => accessOf({})).toThrow(ConfigError);
    expect(() => accessOf({}, 'auth')).toThrow(
      'auth: the store of this host keeps no keys and revocations, so nobody can be asked who they are: give it a member access ' +
        '(AccessStore), use one of the stores of Flowgate, or set it to none',
    );
  });
});
