import { type Column, DataTable } from '../../components/data-table.tsx';
import { More } from '../../components/more.tsx';
import { Read } from '../../components/read.tsx';
import text from '../../components/text.module.css';
import { Time } from '../../components/time.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { usePages } from '../../data/use-pages.ts';
import { counted } from '../../format/numbers.ts';
import { words } from '../../format/words.ts';
import { AccountState } from './account-state.tsx';
import styles from './accounts.module.css';
import type { AccountsSearch } from './search.ts';

type Account = OutputOf<'accountImports.list'>[number];

/** More would be asked for again and again while somebody scrolls; fewer take as long to begin. */
const SIZE_OF_PAGE = 500;

const COLUMNS: readonly Column<Account>[] = [
  { name: 'Old number', cell: (account) => account.external_account_number },
  { name: 'New number', isWhole: true, cell: (account) => account.service_account_number ?? '–' },
  { name: 'State', cell: (account) => <AccountState of={account} /> },
  { name: 'Why', cell: reasonOf, hideBelow: 'medium' },
  { name: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} />, hideBelow: 'narrow' },
];

/** The accounts of one import supplier, oldest staged first. */
export function ListedAccounts({ code, q, state, complete }: AccountsSearch & { code: string }) {
  const input = {
    code,
    ...(q !== undefined && { search: q }),
    ...(state !== undefined && { state }),
    ...(complete !== undefined && { complete: complete === 'yes' }),
  };
  const list = usePages('accountImports.list', input, {
    size: SIZE_OF_PAGE,
    afterOf: (account) => account.external_account_number,
  });
  return (
    <Read of={list}>
      {(rows) => (
        <>
          <p role="status" className={`${text.faint} ${styles.found}`}>
            {rows.length > 0 && counted(rows.length, 'account')}
            {list.hasNextPage && ' so far, more as you scroll'}
            {rows.length > 0 && (q === undefined ? ', oldest staged first' : ', by the beginning of a number')}
          </p>
          <DataTable
            label={`Accounts of ${code}`}
            rows={rows}
            columns={COLUMNS}
            keyOf={(account) => account.external_account_number}
            linkOf={({ external_account_number: number }) => ({
              to: '/accounts/$code/$number',
              params: { code, number },
            })}
            empty={<>No accounts of {code} match. Clear the filter to see all of them.</>}
          />
          <More of={list} />
        </>
      )}
    </Read>
  );
}

function reasonOf({ state, skip_reason, last_error }: Account): string {
  if (state === 'SKIPPED') return skip_reason ?? '–';
  return state === 'FAILED' && last_error !== null ? words(last_error.code) : '–';
}
