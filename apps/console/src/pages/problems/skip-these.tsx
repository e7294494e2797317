import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useShortcut } from '../../app/shortcuts.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Loading } from '../../components/read.tsx';
import { Refusal } from '../../components/refusal.tsx';
import { ask } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { useMayChange } from '../../data/use-role.ts';
import { counted } from '../../format/numbers.ts';
import { words } from '../../format/words.ts';
import { keyOf } from './problem.ts';
import { type ProblemOfSupplier, useAccountsWith } from './use-accounts-with.ts';

/** Skips every account that has a problem and is not created yet: counted first, then confirmed by the code. */
export function SkipThese(props: ProblemOfSupplier) {
  const [isOpen, setOpen] = useState(false);
  const isPossible = useIsPossible(props);
  useShortcut('s', 'Skip these accounts', () => isPossible && setOpen(true));
  if (!isPossible && !isOpen) return null;
  return (
    <>
      <Button shortcut="s" onPress={() => setOpen(true)}>
        Skip these
      </Button>
      {isOpen && <SkipDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Not while every account is created or skipped. Of further pages nobody knows before they are counted. */
function useIsPossible(props: ProblemOfSupplier): boolean {
  const mayChange = useMayChange();
  const { data = [], hasNextPage } = useAccountsWith(props);
  return mayChange && (hasNextPage || data.some(({ state }) => state === 'STAGED' || state === 'FAILED'));
}

function SkipDialog({ supplier, problem, onClose }: ProblemOfSupplier & { onClose(): void }) {
  const filter = { problem: keyOf(problem) };
  // Counted once: what is confirmed is what was shown, and the service refuses any other number.
  const counting = useQuery({
    ...ask('accountImports.countForSkip', { code: supplier, filter }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const skipMany = useAction('accountImports.skipMany');
  const number = counting.isFetchedAfterMount ? counting.data?.count : undefined;
  const skipAll = async (reason: string) => {
    let expected_count = number ?? 0;
    while (expected_count > 0) {
      const { skipped, remaining } = await skipMany.mutateAsync({ code: supplier, filter, reason, expected_count });
      if (skipped === 0)
        throw new Error(`${counted(remaining, 'account')} are being written to: try again in a moment.`);
      expected_count = remaining;
    }
  };
  if (number === undefined || number === 0) {
    return (
      <Dialog title="Skip these accounts" onClose={onClose}>
        {number === 0 && <p>None of them can be skipped: they are created, skipped already, or were never staged.</p>}
        {counting.isError ? <Refusal of={counting.error} /> : number === undefined && <Loading />}
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Skip ${counted(number, 'account')} of ${supplier}`}
      confirm={`Skip ${counted(number, 'account')}`}
      onClose={onClose}
      perform={skipAll}
      typed={supplier}
      reason="required"
    >
      Of {counted(problem.accounts, 'account')} with {words(problem.code)}, {counted(number, 'account')} can be skipped:
      created ones stay. Each has to be unskipped one by one.
    </ConfirmDialog>
  );
}
