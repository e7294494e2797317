import type { Outputs } from '@causeway/client';
import { MigrationOverview, StoredAccount } from '@causeway/contracts';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Forecast } from '../src/components/forecast.tsx';
import { Figures } from '../src/pages/account/figures.tsx';
import { answerOf as answerOfJobs } from '../src/pages/jobs/job-words.ts';
import { answerOf as answerOfProblems } from '../src/pages/problems/problem.ts';

const [migration] = (MigrationOverview.meta()?.examples ?? []) as [MigrationOverview];
const atRest = { ...migration, left: 0, open_problems: 0 };
const notCounted = { ...atRest, sampled_at: null };

test('26.3.1 of accounts that were not counted yet no page says that none is left, or has a problem', () => {
  const forecastOf = (of: MigrationOverview) => renderToStaticMarkup(createElement(Forecast, { migration: of }));
  expect(forecastOf(atRest)).toContain('nothing left');
  expect(forecastOf(notCounted)).toContain('not counted yet');
  expect(answerOfProblems([atRest])).toBe('Nothing keeps an account from being complete.');
  expect(answerOfProblems([atRest, notCounted])).toBe('No problem is known. 1 import supplier is not counted yet.');
  expect(answerOfProblems([migration, notCounted])).toBe(
    '3 kinds of problem, at 1 import supplier. 1 import supplier is not counted yet.',
  );
});

test('26.8.2 an account that has nothing stored is not said to have got it separately', () => {
  const [example] = (StoredAccount.meta()?.examples ?? []) as [StoredAccount];
  const figuresOf = (figures: StoredAccount['figures']) => {
    const account = { ...example, state: 'COMPLETED', figures } as Outputs['accounts']['getMasked'];
    return renderToStaticMarkup(createElement(Figures, { account, payload: {} }));
  };
  const { transactions, statements } = example.figures;
  const nothing = {
    transactions: { ...transactions, count: 0, sum: '0.00' },
    statements: { ...statements, count: 0, gross_total: '0.00' },
    ...{ notes: 0, payment_instructions: 0 },
  };
  expect(figuresOf(nothing)).toContain('Nothing of this is stored.');
  expect(figuresOf({ ...nothing, notes: 1 })).toContain('All of it came by separate imports');
});

test('26.5.3 what is said of the jobs of one import supplier names it', () => {
  expect(answerOfJobs([])).toBe('No job runs, and none waits for somebody.');
  expect(answerOfJobs([], 'HV')).toBe('No job of HV runs, and none waits for somebody.');
  const jobs = [{ state: 'RUNNING' as const }, { state: 'RUNNING' as const }, { state: 'OPEN' as const }];
  expect(answerOfJobs(jobs, 'HV')).toBe('2 jobs of HV run, 1 waits for somebody.');
  expect(answerOfJobs(jobs)).toBe('2 jobs run, 1 waits for somebody.');
});
