import { weakeningOptions } from './weakening-options.js';

const KEYS = { maxKeyDays: 365, bootstrapKeySha256: null };

describe('the options that weaken an instance', () => {
  it('are none as it comes', () => {
    expect(weakeningOptions({}, { keys: KEYS, metricsPublic: false })).toEqual([]);
    expect(weakeningOptions({ webPages: null }, { keys: null, metricsPublic: false })).toEqual([]);
  });

  it('are named, and what they hold is not', () => {
    const hash = 'ab'.repeat(32);
    const said = weakeningOptions(
      {
        allowSelfCalls: true,
        forkPastGates: true,
        policy: { check: () => true, scope: () => 'all' },
        webPages: { allowedOrigins: ['https://console.example.com'] },
      },
      { keys: { ...KEYS, bootstrapKeySha256: hash }, metricsPublic: true },
    );
    expect(said).toEqual([
      'allowSelfCalls',
      'auth.keys.bootstrapKeySha256',
      'auth.metricsPublic',
      'forkPastGates',
      'policy',
      'webPages.allowedOrigins',
    ]);
  });
});
