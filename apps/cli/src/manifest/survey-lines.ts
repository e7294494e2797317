import { tableLines } from '../terminal/lines.ts';
import { grouped } from '../terminal/numbers.ts';
import type { Survey } from './survey.ts';

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
