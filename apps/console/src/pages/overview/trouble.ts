import type { LinkProps } from '@tanstack/react-router';
import type { OutputOf } from '../../data/ask.ts';
import { counted } from '../../format/numbers.ts';

type Migration = OutputOf<'overview.migrations'>[number];

interface Trouble {
  words: string;
  /** Where it is seen to. */
  link: LinkProps;
}

/** What of a migration wants a person: each in a few words. Nothing of one that is complete. */
export function troubleOf({ code, status, failed, open_problems, jobs, last_reconciliation: last }: Migration) {
  if (status === 'COMPLETE') return [];
  const held = jobs.filter(({ state, state_reason }) => state === 'PAUSED' && state_reason !== 'asked').length;
  const trouble: Trouble[] = [];
  const add = (words: string, link: LinkProps) => trouble.push({ words, link });
  if (failed > 0) add(counted(failed, 'failed account'), { to: '/accounts', search: { code, state: 'FAILED' } });
  if (open_problems > 0) {
    add(counted(open_problems, 'kind of problem', 'kinds of problem'), { to: '/problems', search: { code } });
  }
  if (held > 0) {
    const search = { supplier: code, state: 'PAUSED' };
    add(counted(held, 'job stands still', 'jobs stand still'), { to: '/jobs', search });
  }
  if (last?.verdict === 'DIFFERENT' && !last.signed_off) {
    add('differences not signed off', { to: '/reconciliations/$id', params: { id: last.id } });
  }
  return trouble;
}

/** Lines that jobs of a migration bring, which are no accounts before they are done: undefined if there are none. */
export function linesInJobs({ jobs }: Migration): string | undefined {
  const bringing = jobs.filter(({ kind }) => kind !== 'PROCESS');
  if (bringing.length === 0) return undefined;
  const lines = bringing.reduce((sum, job) => sum + (job.lines ?? 0), 0);
  return `${counted(bringing.length, 'job')} of ${counted(lines, 'line')}`;
}
