import { writeFileSync } from 'node:fs';
import { manual } from './manual.ts';

// node apps/cli/src/manual/main.ts, of `pnpm document`: writes docs/cli.md, which is committed.
writeFileSync(new URL('../../../../docs/cli.md', import.meta.url), manual());
