import { writeFileSync } from 'node:fs';
import { bundle } from './bundle.ts';

// node apps/cli/src/build/main.ts [FILE]: writes the command line as one file; without a name, to standard output.
const { text } = await bundle();
const [file] = process.argv.slice(2);
if (file === undefined) process.stdout.write(text);
else writeFileSync(file, text, { mode: 0o755 });
