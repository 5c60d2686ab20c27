import { readFileSync } from 'node:fs';
import { startService, type Service } from '../support/service.js';
import { document, mock } from '../support/workflow-documents.js';
import { readPage } from './support/page-blocks.js';
import { tablesNamed } from './support/page-tables.js';

interface Panel {
  readonly id: number;
  readonly title: string;
  readonly type: string;
  readonly description?: string;
  readonly gridPos: { readonly h: number; readonly w: number; readonly x: number; readonly y: number };
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const file = new URL('../../docs/operate/grafana-dashboard.json', import.meta.url);
const dashboard = JSON.parse(readFileSync(file, 'utf8')) as { readonly panels: readonly Panel[] };
const { panels } = dashboard;
const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Names and labels of metrics in PromQL. */
const METRIC = /\b(?:flowgate|process|nodejs)_[a-z_]+/g;
const OF_A_HISTOGRAM = /_(?:bucket|sum|count)$/;

let service: Service;
let text: string;
/** By name, with what kind it is. */
let kinds: ReadonlyMap<string, string>;

beforeAll(async () => {
  service = await startService();
  await service.register(document('plain', [mock('a', 'x')]));
  await service.start('plain');
  ({ text } = await service.get('/metrics'));
  kinds = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', kind = '']) => [name, kind]),
  );
});
afterAll(() => service.close());

const familyOf = (name: string): string =>
  kinds.get(name.replace(OF_A_HISTOGRAM, '')) === 'histogram' ? name.replace(OF_A_HISTOGRAM, '') : name;

describe('the dashboard', () => {
  it('names only metrics that there are', () => {
    const named = new Set(JSON.stringify(dashboard).match(METRIC));
    expect(named.size).toBeGreaterThan(15);
    expect([...named].filter((name) => !kinds.has(familyOf(name)))).toEqual([]);
  });

  it('shows every metric that there is', () => {
    const shown = new Set(expressions.flatMap((expr) => expr.match(METRIC) ?? []).map(familyOf));
    expect([...kinds.keys()].filter((name) => !shown.has(name))).toEqual([]);
  });

  it('takes rates of what only grows, and of nothing else', () => {
    for (const expr of expressions) {
      for (const [, name = ''] of expr.matchAll(/(?:rate|increase)\((\w+)/g)) {
        expect([name, kinds.get(familyOf(name))]).toEqual([name, expect.stringMatching(/counter|histogram/)]);
      }
      for (const [, name = ''] of expr.matchAll(/(?<!rate\(|increase\()\b((?:flowgate|process)_\w+)\{/g)) {
        expect([name, kinds.get(familyOf(name))]).toEqual([name, 'gauge']);
      }
    }
  });

  it('groups by labels that the metrics have', () => {
    const labels = new Set(['le', ...[...text.matchAll(/[{,]([a-z]+)="/g)].map(([, label]) => label)]);
    // The store of this build may not report its unfinished totals yet.
    for (const label of ['status', 'follower']) labels.add(label);
    for (const [, group = ''] of expressions.join('\n').matchAll(/by \(([^)]*)\)/g)) {
      for (const label of group.split(', ')) expect([label, labels.has(label)]).toEqual([label, true]);
    }
  });

  it('has panels that say what they show, each with an id of its own, and none upon another', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { type, description, gridPos } of panels) {
      if (type !== 'row') expect(description).toMatch(/\.$/);
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.has(`${x},${y}`)).toBe(false);
          taken.add(`${x},${y}`);
        }
      }
    }
  });
});

describe('the table of metrics in docs/operate.md', () => {
  it('has every metric with its kind, and no other', () => {
    const rows = tablesNamed(readPage('docs/operate.md'), 'metric').flatMap((table) => table.rows);
    const named = rows.map(({ cells: [name = '', kind = ''] }) => `${name.replaceAll('`', '')} ${kind}`);
    expect(named.toSorted()).toEqual([...kinds].map((entry) => entry.join(' ')).toSorted());
  });
});
