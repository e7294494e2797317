import { MASK } from '@causeway/contracts/codes';
import { Sentence } from '../../components/sentence.tsx';
import { counted } from '../../format/numbers.ts';
import { meaningOf } from '../../format/words.ts';
import styles from './account.module.css';
import type { TreeNode } from './marked-tree.ts';

/** Larger ones are closed at first, unless something in them was refused. */
const MOST_OPEN = 6;

interface PayloadTreeProps {
  nodes: readonly TreeNode[];
  /** Anyone who has asked for the personal data wants to see it, not to look for it. */
  isWhole?: boolean;
}

/** Fields and their values, each refusal at its place. */
export function PayloadTree({ nodes, isWhole = false }: PayloadTreeProps) {
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
        <span className={styles.faint}>
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
  if (value === undefined) return <span className={styles.faint}>not stored</span>;
  if (value !== MASK) return <span className={styles.value}>{value}</span>;
  return (
    <span className={styles.faint}>
      <span aria-hidden="true">{MASK}</span>
      <span className={styles.spoken}>hidden</span>
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
