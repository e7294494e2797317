import { useMutation } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty } from '../../components/read.tsx';
import { Refusal } from '../../components/refusal.tsx';
import { type OutputOf, untyped } from '../../data/ask.ts';
import { queryClient } from '../../data/client.ts';
import { useMayChange } from '../../data/use-role.ts';
import styles from './account.module.css';
import { markedTree } from './marked-tree.ts';
import { PayloadTree } from './payload-tree.tsx';

type Account = OutputOf<'accounts.getMasked'>;

/** The data of the account. Who is shown the personal part of it is recorded by the service first. */
export function Payload({ account }: { account: Account }) {
  const { account: masked, refusals } = account;
  const faults = refusals.flatMap(({ errors }) => errors);
  const show = useShownData(account);
  const isShown = show.data !== undefined;
  const data = show.data?.account ?? masked;
  return (
    <Panel title="Data of the account" aside={masked !== null && account.erased_at === null && <Shown of={show} />}>
      <Refusal of={show.error} />
      {data === null || data === undefined ? (
        <Empty>Its data was erased.</Empty>
      ) : (
        <PayloadTree key={String(isShown)} nodes={markedTree(data, faults)} isWhole={isShown} />
      )}
    </Panel>
  );
}

/** Reads the account with its personal data, once it is asked for: the view stands in the timeline. */
function useShownData({ import_supplier: import_supplier_code, external_account_number }: Account) {
  return useMutation({
    mutationFn: async () =>
      (await untyped.query('accounts.get', {
        import_supplier_code,
        external_account_number,
      })) as OutputOf<'accounts.get'>,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['accounts.timeline'] }),
    // Not longer than the page is there.
    gcTime: 0,
  });
}

function Shown({ of: show }: { of: ReturnType<typeof useShownData> }) {
  const mayChange = useMayChange();
  if (!mayChange) return <p className={styles.faint}>personal data is hidden from read-only keys</p>;
  if (show.data !== undefined) return <Button onPress={() => show.reset()}>Hide personal data</Button>;
  return (
    <div className={styles.copied}>
      <span className={styles.faint}>who looks is recorded</span>
      <Button isPending={show.isPending} onPress={() => show.mutate()}>
        Show personal data
      </Button>
    </div>
  );
}
