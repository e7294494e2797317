import type { Context, Result } from '../frame/define-command.ts';
import { quoted, tableLines } from '../terminal/lines.ts';
import { grouped } from '../terminal/numbers.ts';
import { type Survey, surveyManifest } from './survey.ts';

interface Checking {
  words: [string];
  options: { totals?: string; supplier?: string; encoding?: string };
}

/** Says what a manifest claims, and whether the service would seal it (behaviour 25.7.1). */
export async function checkManifest(context: Context, { words: [file], options }: Checking): Promise<Result> {
  const survey = await surveyManifest(context, { file, ...options });
  const ok = isSound(survey);
  if (ok)
    context.output.say(`It adds up. Next: causeway manifest lodge ${file} ${lodgingFlags(survey, options).join(' ')}`);
  return { ending: ok ? 'done' : 'refused', document: surveyDocument(survey), lines: surveyLines(file, survey) };
}

/** Those that `lodge` needs, with a word in capitals where the manifest does not say it. */
function lodgingFlags({ head }: Survey, { totals, supplier = 'CODE', encoding }: Checking['options']): string[] {
  return [
    `--supplier ${quoted(supplier)}`,
    ...(encoding === undefined ? [] : [`--encoding ${encoding}`]),
    ...(totals === undefined ? [] : [`--totals ${totals}`]),
    ...(head.source_system === undefined ? ['--source-system NAME'] : []),
    ...(head.as_of === undefined ? ['--as-of DATETIME'] : []),
  ];
}

/** Whether the service would take its lines, and seal it. */
export function isSound({ wrongLines, contradictions }: Survey): boolean {
  return wrongLines === 0 && contradictions.length === 0;
}

/** A survey for programs. */
export function surveyDocument(survey: Survey): object {
  const { added, totals, isClaimed, wrongLines, firstWrong, contradictions, digest } = survey;
  return {
    ...{ accounts: added.accounts, totals, totals_from: isClaimed ? 'source' : 'lines', digest },
    ...{ wrong_lines: wrongLines, first_wrong_lines: firstWrong, contradictions },
  };
}

const MAX_ERRORS = 3;

/** What a manifest file claims and what is wrong with it, for people. */
export function surveyLines(file: string, survey: Survey): string[] {
  const { added, isClaimed, wrongLines } = survey;
  const head = `${file}: ${grouped(added.accounts)} accounts${isClaimed ? '' : ', without totals of their own'}`;
  return [head, ...(wrongLines > 0 ? wrongLineLines(survey) : [...figureLines(survey), ...contradictionLines(survey)])];
}

function figureLines({ totals, contradictions }: Survey): string[] {
  const { by_type = {}, ...figures } = totals;
  const types = Object.entries(by_type).flatMap(([type, { count, amount }]): [string, string | number][] => [
    [`by_type.${type}.count`, count],
    [`by_type.${type}.amount`, amount],
  ]);
  const rows = [...Object.entries(figures), ...types].map(([figure, value]) => {
    const differs = contradictions.some(({ attr }) => attr === `totals.${figure}`);
    return [differs ? '✗' : '✓', figure, grouped(value as string | number)];
  });
  return tableLines(rows, [2]).map((line) => `  ${line}`);
}

function contradictionLines({ contradictions }: Survey): string[] {
  if (contradictions.length === 0) return [];
  const named = contradictions.map(({ attr, detail }) => `  ${attr}: ${detail}`);
  return ['The manifest contradicts itself:', ...named];
}

function wrongLineLines({ wrongLines, firstWrong }: Survey): string[] {
  const named = firstWrong.flatMap(({ line, errors }) =>
    errors
      .slice(0, MAX_ERRORS)
      .map(({ attr, detail }) => `  line ${grouped(line)}  ${attr === '' ? '' : `${attr}: `}${detail}`),
  );
  const more = wrongLines - firstWrong.length;
  const rest = more > 0 ? [`  and ${grouped(more)} more`] : [];
  return [`${grouped(wrongLines)} of its lines cannot be lodged:`, ...named, ...rest];
}
