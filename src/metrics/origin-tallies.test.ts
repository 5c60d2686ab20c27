import { MAX_ORIGINS, OTHER, OriginTallies } from './origin-tallies.js';

function filled(count: number): OriginTallies {
  const tallies = new OriginTallies();
  for (let index = 0; index < count; index += 1) tallies.of(`http://host-${index}`).outcomes.finished += 1;
  return tallies;
}

describe('the tallies of origins', () => {
  it('are those of the first hundred, and one for all others', () => {
    const all = new Map(filled(5_000).all());
    expect(all.size).toBe(MAX_ORIGINS + 1);
    expect(all.get('http://host-99')?.outcomes.finished).toBe(1);
    expect(all.get(OTHER)?.outcomes.finished).toBe(5_000 - MAX_ORIGINS);
  });

  it('that there are stay, however many come later', () => {
    const tallies = filled(5_000);
    tallies.of('http://host-0').outcomes.finished += 1;
    expect(tallies.of('http://host-0').outcomes.finished).toBe(2);
  });
});
