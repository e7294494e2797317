import { usePages } from '../../data/use-pages.ts';

const SIZE_OF_PAGE = 1_000;

/** What happened to an account; every part of the page that asks for it shares one read. */
export function useTimeline(code: string, number: string) {
  return usePages(
    'accounts.timeline',
    { code, external_account_number: number },
    { size: SIZE_OF_PAGE, afterOf: ({ position }) => position, isLive: true },
  );
}
