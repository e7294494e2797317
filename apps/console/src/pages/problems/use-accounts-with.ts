import { usePages } from '../../data/use-pages.ts';
import { keyOf, type Problem } from './problem.ts';

const SIZE_OF_PAGE = 500;

export interface ProblemOfSupplier {
  supplier: string;
  problem: Problem;
}

/** The accounts that have a problem now; every part of the page that asks for them shares one read. */
export function useAccountsWith({ supplier, problem }: ProblemOfSupplier) {
  return usePages(
    'accountImports.listByProblem',
    { code: supplier, problem: keyOf(problem) },
    { size: SIZE_OF_PAGE, afterOf: (account) => account.external_account_number },
  );
}
