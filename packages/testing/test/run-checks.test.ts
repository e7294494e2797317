import { expect, test } from 'vitest';
import { readable } from '../src/run-checks/readable.ts';

const OUTPUT = `
   • turbo 2.11.11
   • Running //#lint, test in 15 packages
//:lint: cache miss, executing 324744bab198bc54
//:lint: $ biome check --error-on-warnings && sherif
//:lint: Checked 800 files in 7s. No fixes applied.
@causeway/api:test: $ vitest run
@causeway/api:test: 
@causeway/api:test:  RUN  v5.1.1 /somewhere/apps/api
@causeway/api:test:  \u001b[32m✓\u001b[39m test/notes/import-notes.test.ts (20 tests) 900ms
@causeway/api:test:  FAIL  test/rest/wire.test.ts > 10.1 a failing test
@causeway/api:test: AssertionError: expected 200 to be 400
@causeway/api:test:    Start at  17:46:41
\u001b[36m@causeway/example:types: \u001b[0msrc/client.ts(3,1): error TS2322
 Tasks:    18 successful, 19 total
Cached:    0 cached, 19 total
Failed:    @causeway/api#test`;

test('20.4 what a check prints is shown beside its name, and what the tools say of themselves is not', () => {
  const shown = OUTPUT.split('\n').flatMap((line) => readable(line) ?? []);
  expect(shown).toEqual([
    'lint               Checked 800 files in 7s. No fixes applied.',
    'api                 \u001b[32m✓\u001b[39m test/notes/import-notes.test.ts (20 tests) 900ms',
    'api                 FAIL  test/rest/wire.test.ts > 10.1 a failing test',
    'api                AssertionError: expected 200 to be 400',
    'example types      \u001b[0msrc/client.ts(3,1): error TS2322',
    ' Tasks:    18 successful, 19 total',
    'Failed:    @causeway/api#test',
  ]);
});
