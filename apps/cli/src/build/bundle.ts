import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { VERSION } from '../version.ts';

const FOLDER = path.resolve(import.meta.dirname, '..');

/**
 * What stands before the program: an older Node ends here, with a sentence. The program is CommonJS, so that each
 * module of Node is loaded when it is needed; the imports of an ES module would all come before the first statement.
 */
const HEAD = `#!/usr/bin/env node
// The command line of Causeway ${VERSION}. It is one file: node causeway.mjs --help
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
if (require('node:zlib').createZstdDecompress === undefined) {
  process.stderr.write('causeway needs Node 22.15 or newer: this is ' + process.versions.node + '.\\n');
  process.exit(2);
}
const FILE_URL = import.meta.url;
`;

/** zod speaks fifty languages, a fifth of the file; ours are English. */
const ENGLISH_ALONE: Plugin = {
  name: 'english-alone',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: `export { default as en } from './en.js';`,
    }));
  },
};

/** The command line, with all that it imports, as the text of one ES module. The same sources give the same text. */
export async function bundle(): Promise<{ text: string; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: FOLDER,
    entryPoints: ['main.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'cjs',
    // What an older Node cannot even parse would be an error of the language in place of the sentence above.
    target: 'node16',
    minify: true,
    legalComments: 'none',
    charset: 'utf8',
    define: { 'import.meta.url': 'FILE_URL' },
    banner: { js: HEAD },
    plugins: [ENGLISH_ALONE],
    logLevel: 'warning',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('esbuild has written nothing.');
  const inputs = Object.keys(metafile.inputs).map((input) => path.resolve(FOLDER, input));
  return { text: file.text, inputs };
}
