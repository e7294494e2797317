import { writeFileSync } from 'node:fs';
import { documentText } from './document.ts';

// node src/openapi/write-document.ts [file]: writes the published document, by default to apps/api/openapi.json.
writeFileSync(process.argv[2] ?? new URL('../../openapi.json', import.meta.url), documentText());
