import { RecordingLogger } from '../../testing/recording-logger.js';
import { WaitingForUnits } from './waiting-for-units.js';

describe('runs that wait for a unit', () => {
  it('are logged once for each run and unit', () => {
    const logger = new RecordingLogger();
    const waiting = new WaitingForUnits(logger);
    for (const runId of ['a', 'b', 'a']) waiting.add('acme.pay', runId);
    waiting.add('acme.ship', 'a');
    expect(logger.said.map(({ level, fields }) => [level, fields])).toEqual([
      ['warn', { runId: 'a', uses: 'acme.pay' }],
      ['warn', { runId: 'b', uses: 'acme.pay' }],
      ['warn', { runId: 'a', uses: 'acme.ship' }],
    ]);
    expect(logger.at('warn')[0]).toBe('A run waits for the unit acme.pay: register it and the run goes on');
  });

  it('are taken once, all that wait for that unit and no others', () => {
    const waiting = new WaitingForUnits(new RecordingLogger());
    for (const runId of ['a', 'b', 'a']) waiting.add('acme.pay', runId);
    waiting.add('acme.ship', 'c');
    expect(waiting.take('acme.pay')).toEqual(['a', 'b']);
    expect(waiting.take('acme.pay')).toEqual([]);
    expect(waiting.take('acme.ship')).toEqual(['c']);
    expect(waiting.take('nobody asked')).toEqual([]);
  });

  it('are logged again when they wait again', () => {
    const logger = new RecordingLogger();
    const waiting = new WaitingForUnits(logger);
    waiting.add('acme.pay', 'a');
    waiting.take('acme.pay');
    waiting.add('acme.pay', 'a');
    expect(logger.said).toHaveLength(2);
  });
});
