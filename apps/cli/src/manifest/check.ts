import type { Context, Result } from '../frame/define-command.ts';
import { type Survey, surveyManifest } from './survey.ts';
import { surveyLines } from './survey-lines.ts';

interface Checking {
  words: [string];
  options: { totals?: string; supplier?: string };
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
function lodgingFlags({ head }: Survey, { totals, supplier = 'CODE' }: Checking['options']): string[] {
  return [
    `--supplier ${supplier}`,
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
