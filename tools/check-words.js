import { globSync, readFileSync } from 'node:fs';

// Part of `pnpm lint`: words that sound translated, and what to write instead.
const WORDS = [
  [/\bwhoever\b/gi, 'the worker, the caller: name the role'],
  [/\banyone who (?:is|was)\b[^.]{0,20}\bkilled\b/gi, 'a killed worker'],
  [/\bthere is none\b/gi, 'none exists'],
  [/\b(?:goes|go|going|went) on\b(?! strike)/gi, 'continue, resume, keep'],
  [/(?<![-.\w])mend(?:s|ed|ing)?\b(?![-$])/gi, 'fix, correct'],
  [/\bgood for\b/gi, 'valid for'],
  [/\bwhat(?:ever)? (?:became|becomes|would become) of\b/gi, 'the outcome of, what happened to'],
  [/\ball the same\b/gi, 'anyway, still'],
  [/\bat the moment\b/gi, 'now'],
  [/\b(?:is|are) like (?:this|that)\b/gi, 'match'],
  [/; as old\b/gi, 'say how old'],
  [/\bstill good\b/gi, 'still works, still valid'],
  [/\bknow what you do\b/gi, 'what can go wrong'],
  [/\b(?:has|have|had) become of\b/gi, 'what happened to'],
  [/\bstays? good\b/gi, 'stay valid'],
  [/\bis no \w+ that is known\b/gi, 'unknown …'],
];
const READ = ['*.md', '{docs,deploy,examples,prisma}/**/*.md', '{apps,packages,tools,examples}/**/*.{ts,tsx,md,html}'];
const EXCLUDED = ['**/node_modules/**', '**/generated/**', '**/dist/**', 'docs/figures/**'];

// A phrase may be broken over two lines, also of a comment.
const BREAK = String.raw`\s+(?:(?://|\*)\s*)?`;
const PHRASES = WORDS.map(([word, better]) => [new RegExp(word.source.replaceAll(' ', BREAK), word.flags), better]);

const found = globSync(READ, { exclude: EXCLUDED }).flatMap((file) => {
  const text = readFileSync(file, 'utf8');
  return PHRASES.flatMap(([word, better]) =>
    [...text.matchAll(word)].map(({ 0: phrase, index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `${file}:${line}: "${phrase.replaceAll(/\s+/g, ' ')}": ${better}`;
    }),
  );
});
for (const line of found) process.stdout.write(`${line}\n`);
process.exitCode = found.length === 0 ? 0 : 1;
