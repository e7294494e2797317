import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Options, readOptions, USAGE } from './options.ts';
import { PARTS } from './parts/parts.ts';
import { progress } from './progress.ts';
import { documentOf, type Run } from './report/document.ts';
import { describeEnvironment, loadNow } from './report/environment.ts';
import { findingsTable } from './report/finding.ts';
import { TODAY } from './world/measure-turn.ts';
import { startWorld, type World } from './world/world.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');
const DATA = path.join(REPOSITORY, 'docs/figures/performance.json');
const DOCUMENT = path.join(REPOSITORY, 'docs/figures/performance.md');
const REMARKS = path.join(REPOSITORY, 'tools/performance/remarks.md');

/** Runs the requested parts, prints their findings and, if all parts ran, writes the document. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(USAGE);
    return;
  }
  const loadBefore = loadNow();
  progress('starting PostgreSQL, the service, the reference and the peer');
  const world = await startWorld();
  const interrupt = () => void world.stop().finally(() => process.exit(130));
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    const results = await measure(world, options);
    const findings = results.flatMap(({ result }) => result.findings);
    process.stdout.write(`\n${findingsTable(findings)}\n`);
    if (options.only === undefined) {
      const environment = await describeEnvironment(world, loadBefore);
      write({ date: TODAY, effort: options.effort, environment, results });
    } else if (options.keep) {
      write(withParts(JSON.parse(readFileSync(DATA, 'utf8')) as Run, results));
    }
  } finally {
    await world.stop();
  }
}

/** In the order of the parts; what is no part any more goes. */
function withParts(run: Run, again: Run['results']): Run {
  const results = PARTS.flatMap(({ heading }) => {
    const isOfPart = (part: Run['results'][number]) => part.heading === heading;
    const newer = again.find(isOfPart);
    return newer === undefined ? run.results.filter(isOfPart) : [{ ...newer, again: true }];
  });
  return { ...run, results };
}

function write(run: Run): void {
  mkdirSync(path.dirname(DOCUMENT), { recursive: true });
  writeFileSync(DATA, `${JSON.stringify(run, null, 2)}\n`);
  writeFileSync(DOCUMENT, documentOf(run, REMARKS));
  progress(`wrote ${path.relative(REPOSITORY, DOCUMENT)}`);
}

async function measure(world: World, options: Options): Promise<Run['results']> {
  const results: Run['results'] = [];
  for (const part of PARTS) {
    if (options.only !== undefined && !part.always && !options.only.includes(part.name)) continue;
    progress(part.heading);
    // Finishes the writes of the previous part, which must not count in this one.
    await world.postgres.query('postgres', 'CHECKPOINT');
    const result = await part.measure(world, options);
    process.stdout.write(`\n## ${part.heading}\n\n${result.details.join('\n\n')}\n`);
    results.push({ heading: part.heading, result });
  }
  return results;
}

await main();
