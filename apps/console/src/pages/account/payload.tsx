import { MASK } from '@causeway/contracts/codes';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty } from '../../components/read.tsx';
import { Refusal } from '../../components/refusal.tsx';
import { Sentence } from '../../components/sentence.tsx';
import text from '../../components/text.module.css';
import { type OutputOf, untyped } from '../../data/ask.ts';
import { queryClient } from '../../data/client.ts';
import { useMayChange } from '../../data/use-role.ts';
import { counted } from '../../format/numbers.ts';
import { meaningOf } from '../../format/words.ts';
import styles from './account.module.css';
import { markedTree, type TreeNode } from './marked-tree.ts';

/** Larger ones are closed at first, unless something in them was refused. */
const MOST_OPEN = 6;

interface PayloadTreeProps {
  nodes: readonly TreeNode[];
  /** Anyone who has asked for the personal data wants to see it, not to look for it. */
  isWhole?: boolean;
}

/** Fields and their values, each refusal at its place. */
function PayloadTree({ nodes, isWhole = false }: PayloadTreeProps) {
  return (
    <ul className={styles.tree}>
      {nodes.map((node) => (
        <li key={node.path} className={node.faults.length > 0 ? styles.marked : undefined}>
          {node.children === undefined ? (
            <Leaf node={node} />
          ) : (
            <Branch node={node} nodes={node.children} isWhole={isWhole} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Branch({ node, nodes, isWhole }: Required<PayloadTreeProps> & { node: TreeNode }) {
  const isList = nodes.every(({ name }) => /^\d+$/.test(name));
  return (
    <details open={isWhole || node.faultCount > 0 || nodes.length <= MOST_OPEN}>
      <summary>
        <code>{node.name}</code>{' '}
        <span className={text.faint}>
          {isList ? counted(nodes.length, 'entry', 'entries') : counted(nodes.length, 'field')}
        </span>
        {node.faultCount > 0 && <span className={styles.bad}> ▲ {node.faultCount} refused</span>}
      </summary>
      <Faults of={node} />
      <PayloadTree nodes={nodes} isWhole={isWhole} />
    </details>
  );
}

function Leaf({ node }: { node: TreeNode }) {
  return (
    <>
      <code>{node.name}</code> <Value of={node.value} />
      <Faults of={node} />
    </>
  );
}

function Value({ of: value }: { of: string | undefined }) {
  if (value === undefined) return <span className={text.faint}>not stored</span>;
  if (value !== MASK) return <span className={styles.value}>{value}</span>;
  return (
    <span className={text.faint}>
      <span aria-hidden="true">{MASK}</span>
      <span className={text.spoken}>hidden</span>
    </span>
  );
}

function Faults({ of: { faults, path } }: { of: TreeNode }) {
  return faults.map((code) => (
    <p key={code} className={styles.bad} role="note" aria-label={`Refused: ${path}`}>
      <span aria-hidden="true">▲ </span>
      <code>{code}</code> <Sentence>{meaningOf(code).when}</Sentence>
    </p>
  ));
}

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
  if (!mayChange) return <p className={text.faint}>personal data is hidden from read-only keys</p>;
  if (show.data !== undefined) return <Button onPress={() => show.reset()}>Hide personal data</Button>;
  return (
    <div className={styles.copied}>
      <span className={text.faint}>who looks is recorded</span>
      <Button isPending={show.isPending} onPress={() => show.mutate()}>
        Show personal data
      </Button>
    </div>
  );
}
