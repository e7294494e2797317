import { globSync, readFileSync } from 'node:fs';

// Part of `pnpm lint`: words that sound translated, and what to write instead.
const WORDS = [
  [/\bwhoever\b/gi, 'anyone who, the person who, or name the role'],
  [/\bthere is none\b/gi, 'none exists'],
  [/\b(?:goes|go|going|went) on\b(?! strike)/gi, 'continue, resume, keep'],
  [/(?<![-.\w])mend(?:s|ed|ing)?\b(?![-$])/gi, 'fix, correct'],
  [/\bgood for\b/gi, 'valid for'],
  [/\bwhat (?:became|becomes) of\b/gi, 'the outcome of, what happened to'],
  [/\ball the same\b/gi, 'anyway, still'],
  [/\bat the moment\b/gi, 'now'],
];
const READ = ['*.md', '{docs,deploy,examples,prisma}/**/*.md', '{apps,packages,tools,examples}/**/*.{ts,tsx,md,html}'];
const EXCLUDED = ['**/node_modules/**', '**/generated/**', '**/dist/**', 'docs/figures/**', 'CHANGELOG.md'];

const found = globSync(READ, { exclude: EXCLUDED }).flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      WORDS.flatMap(([word, better]) =>
        [...line.matchAll(word)].map(([text]) => `${file}:${index + 1}: "${text}": ${better}`),
      ),
    ),
);
for (const line of found) process.stdout.write(`${line}\n`);
process.exitCode = found.length === 0 ? 0 : 1;
