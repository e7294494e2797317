import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from '../../components/button.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { More } from '../../components/more.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Read } from '../../components/read.tsx';
import { Refusal } from '../../components/refusal.tsx';
import text from '../../components/text.module.css';
import { Time } from '../../components/time.tsx';
import { untyped } from '../../data/ask.ts';
import { usePages } from '../../data/use-pages.ts';
import { useMayChange } from '../../data/use-role.ts';
import { SupplierPlaces } from '../suppliers/supplier-places.tsx';
import { AddSuppression } from './add-suppression.tsx';
import styles from './emails.module.css';
import { RemoveSuppression, type Suppression } from './remove-suppression.tsx';

const route = getRouteApi('/shell/suppliers/$code/suppressions');
const SIZE_OF_PAGE = 500;
/** One call of the service: a browser need not hold more. */
const MOST_SHOWN = 10_000;
const REASONS: Record<Suppression['reason'], string> = {
  REFUSED: 'The mail server said that there is no such mailbox.',
  STAFF: 'The service team added it.',
};

/** Which addresses get no e-mail of a supplier? */
export function SuppressionsPage() {
  const { code } = route.useParams();
  const { address } = route.useSearch();
  const mayChange = useMayChange();
  return (
    <>
      <PageHeader
        title={`Suppression list of ${code}`}
        question="Which addresses get no e-mail, and why?"
        actions={mayChange && <AddSuppression code={code} />}
      />
      <SupplierPlaces code={code} />
      {mayChange && (
        <FilterBar
          filters={[{ name: 'address', label: 'Address', placeholder: 'The whole address' }]}
          search={{ address }}
        />
      )}
      <Suppressions key={address} code={code} address={address} mayChange={mayChange} />
    </>
  );
}

interface SuppressionsProps {
  code: string;
  address: string | undefined;
  mayChange: boolean;
}

function Suppressions({ code, address, mayChange }: SuppressionsProps) {
  const input = { code, masked: true, ...(address !== undefined && { address }) };
  const list = usePages('emailSuppressions.list', input, { size: SIZE_OF_PAGE, afterOf: ({ id }) => id });
  const show = useShownAddresses(code, address);
  return (
    <Read of={list}>
      {(rows) => (
        <>
          {mayChange && rows.some((row) => row.address !== null) && <Show of={show} />}
          <DataTable
            label={`Suppression list of ${code}`}
            rows={rows}
            columns={columnsWith({ code, mayChange, addresses: show.data })}
            keyOf={({ id }) => id}
            hasCards
            empty={
              address === undefined
                ? 'The list is empty: every address gets its e-mails. One comes onto it by itself when a mail server says that there is no such mailbox.'
                : 'This address is not on the list: it gets its e-mails. Only whole addresses are found.'
            }
          />
          <More of={list} />
        </>
      )}
    </Read>
  );
}

interface ColumnsInput {
  code: string;
  mayChange: boolean;
  /** Those that were asked for, by the ids of their entries. */
  addresses: ReadonlyMap<string, string | null> | undefined;
}

function columnsWith({ code, mayChange, addresses }: ColumnsInput): readonly Column<Suppression>[] {
  const shown: readonly Column<Suppression>[] = [
    {
      name: 'Address',
      cell: ({ id, address }) =>
        address === null ? (
          <span className={text.faint}>erased</span>
        ) : (
          (addresses?.get(id) ?? <span className={text.faint}>hidden</span>)
        ),
    },
    { name: 'Why', cell: ({ reason }) => REASONS[reason] },
    { name: 'Since', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
  if (!mayChange) return shown;
  const remove: Column<Suppression> = {
    name: 'Action',
    align: 'end',
    cell: (entry) => <RemoveSuppression code={code} entry={entry} address={addresses?.get(entry.id)} />,
  };
  return [...shown, remove];
}

/** Reads the addresses, once they are asked for: that is recorded. */
function useShownAddresses(code: string, address: string | undefined) {
  return useMutation({
    mutationFn: async () => {
      const input = { code, limit: MOST_SHOWN, ...(address !== undefined && { address }) };
      const entries = (await untyped.query('emailSuppressions.list', input)) as Suppression[];
      return new Map(entries.map((entry) => [entry.id, entry.address]));
    },
    // Not longer than the page is there.
    gcTime: 0,
  });
}

function Show({ of: show }: { of: ReturnType<typeof useShownAddresses> }) {
  return (
    <div className={styles.show}>
      {show.data === undefined ? (
        <Button isPending={show.isPending} onPress={() => show.mutate()}>
          Show addresses
        </Button>
      ) : (
        <Button onPress={() => show.reset()}>Hide addresses</Button>
      )}
      <span className={text.faint}>The audit records who shows them.</span>
      <Refusal of={show.error} />
    </div>
  );
}
