import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parser } from '@prometheus-io/lezer-promql';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { allMetrics } from './all-metrics.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../../..');
const DASHBOARDS = readdirSync(path.join(REPOSITORY, 'deploy/grafana')).filter((file) => file.endsWith('.json'));

interface Dashboard {
  uid: string;
  panels: { title: string; description: string; targets: { expr: string; legendFormat: string }[] }[];
  templating: { list: { name: string; type: string; query: string }[] };
}

interface Rules {
  groups: { rules: Rule[] }[];
}

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

const read = (file: string) => readFileSync(path.join(REPOSITORY, file), 'utf8');
const dashboards = DASHBOARDS.map((file) => JSON.parse(read(`deploy/grafana/${file}`)) as Dashboard);
const rules = (parse(read('deploy/prometheus/alerts.yaml')) as Rules).groups.flatMap((group) => group.rules);

/** What Prometheus itself adds to every target. */
const OF_TARGETS = ['job', 'instance'];

/** The labels of each series by its name, those of a histogram's parts included. */
async function seriesLabels(): Promise<Map<string, string[]>> {
  const series = new Map<string, string[]>([['up', OF_TARGETS]]);
  for (const { name, type, labelNames } of await allMetrics()) {
    const labels = [...labelNames, ...OF_TARGETS];
    const parts = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const part of parts) series.set(`${name}${part}`, part === '_bucket' ? [...labels, 'le'] : labels);
  }
  return series;
}

interface Used {
  /** The labels by which each metric is selected. */
  selected: { metric: string; labels: string[] }[];
  /** Those by which series are grouped or matched. */
  grouped: string[];
}

/** What an expression names; throws if it is no PromQL. */
function usedIn(expression: string): Used {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const used: Used = { selected: [], grouped: [] };
  parser.parse(text).iterate({
    enter({ name, node, type }) {
      if (type.isError) throw new Error(`This is no PromQL: ${expression}`);
      const named = text.slice(node.from, node.to);
      if (name === 'VectorSelector') {
        const metric = node.getChild('Identifier');
        used.selected.push({ metric: metric ? text.slice(metric.from, metric.to) : '', labels: [] });
      }
      if (name !== 'LabelName') return;
      if (node.parent?.name === 'GroupingLabels') used.grouped.push(named);
      else used.selected.at(-1)?.labels.push(named);
    },
  });
  return used;
}

function unknownIn(expression: string, series: Map<string, string[]>): string[] {
  const { selected, grouped } = usedIn(expression);
  const wrong = selected.flatMap(({ metric, labels }) => {
    const known = series.get(metric);
    if (known === undefined) return [metric];
    return labels.filter((label) => !known.includes(label)).map((label) => `${metric}{${label}}`);
  });
  const all = selected.flatMap(({ metric }) => series.get(metric) ?? []);
  return [...wrong, ...grouped.filter((label) => !all.includes(label))];
}

test('16.9.7 what is no PromQL, no metric or no label of one is found', async () => {
  const series = await seriesLabels();
  expect(() => usedIn('sum(rate(causeway_requests_total[5m])')).toThrow('This is no PromQL');
  const wrong = 'sum by (limit) (rate(causeway_requests_total{state="x"}[5m])) / causeway_nothing';
  expect(unknownIn(wrong, series)).toEqual(['causeway_requests_total{state}', 'causeway_nothing', 'limit']);
});

test('16.9.7 each metric and label that a dashboard names exists', async () => {
  const series = await seriesLabels();
  expect(DASHBOARDS).toEqual(['migration.json', 'service.json']);
  for (const { panels, templating } of dashboards) {
    const variables = templating.list.filter(({ type }) => type === 'query');
    for (const { name, query } of variables) {
      const [, metric = '', label] = /^label_values\((\w+), (\w+)\)$/.exec(query) ?? [];
      expect(label).toBe(name);
      expect(series.get(metric)).toContain(label);
    }
    for (const { title, description, targets } of panels) {
      expect(description).toMatch(/\.$/);
      for (const { expr, legendFormat } of targets) {
        expect([title, unknownIn(expr, series)]).toEqual([title, []]);
        const { selected, grouped } = usedIn(expr);
        const shown = grouped.length > 0 ? grouped : selected.flatMap(({ metric }) => series.get(metric) ?? []);
        for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(shown).toContain(label);
        // Only variables that the dashboard has.
        for (const [, variable] of expr.matchAll(/\$(\w+)/g)) {
          expect(['__rate_interval', ...variables.map(({ name }) => name)]).toContain(variable);
        }
      }
    }
  }
});

test('16.9.7 each metric and label that an alert names exists', async () => {
  const series = await seriesLabels();
  expect(rules.length).toBeGreaterThan(10);
  for (const { alert, expr, annotations, labels, ...rule } of rules) {
    expect([alert, unknownIn(expr, series)]).toEqual([alert, []]);
    expect(rule.for).toMatch(/^\d+[mh]$/);
    expect(['critical', 'warning']).toContain(labels.severity);
    const known = usedIn(expr).selected.flatMap(({ metric }) => series.get(metric) ?? []);
    for (const [, label] of annotations.summary.matchAll(/\$labels\.(\w+)/g)) expect(known).toContain(label);
  }
});

test('16.9.8 each alert is explained in the operators manual, under its name, and no other', () => {
  const [, after = ''] = read('docs/operations.md').split('\n## Alerts\n');
  const [section = ''] = after.split('\n## ');
  const headings = Array.from(section.matchAll(/^### (.*)$/gm), ([, heading = '']) => heading);
  const anchors = headings.map((heading) => heading.toLowerCase().replaceAll(' ', '-'));
  expect(rules.map(({ annotations }) => annotations.runbook_url)).toEqual(
    anchors.map((anchor) => `docs/operations.md#${anchor}`),
  );
  expect(rules.map(({ alert }) => alert.toLowerCase())).toEqual(anchors.map((anchor) => anchor.replaceAll('-', '')));
});

const PAGE = path.resolve(import.meta.dirname, '../../../../docs/metrics.md');

test('16.9.6 the page lists every metric with its type, labels and meaning, and nothing else', async () => {
  const rows = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.replaceAll(/ +/g, ' '));
  const labels = (names: string[]) => names.map((name) => `\`${name}\``).join(', ');
  const expected = (await allMetrics()).map(({ name, type, labelNames, help }) => {
    return `| \`${name}\` | ${type} | ${labels(labelNames)} | ${help} |`.replaceAll(/ +/g, ' ');
  });
  // Other systems tell less of a process.
  const isListed = (row: string) => process.platform === 'linux' || row.includes('causeway_');
  expect(rows.filter(isListed).sort()).toEqual(expected.filter(isListed).sort());
});

test('16.9.6 each name of our own begins with causeway_ and says its unit', async () => {
  for (const { name, type } of await allMetrics()) {
    expect(name).toMatch(/^(?:causeway|process|nodejs)_[a-z0-9_]+$/);
    if (!name.startsWith('causeway_')) continue;
    expect([name, type === 'counter']).toEqual([name, name.endsWith('_total')]);
    expect([name, type === 'histogram']).toEqual([name, name.endsWith('_duration_seconds')]);
  }
});
