import { CopyButton } from '../../components/copy-button.tsx';
import { KeyValues } from '../../components/key-values.tsx';
import { Panel } from '../../components/panel.tsx';
import type { OutputOf } from '../../data/ask.ts';
import type { Reconciliation } from './figures.ts';
import styles from './proof-panel.module.css';

interface ProofPanelProps {
  reconciliation: Reconciliation;
  manifest: OutputOf<'dataImport.manifest'> | undefined;
}

/** How anybody finds out that the report is ours and unchanged, without this service. */
export function ProofPanel({ reconciliation, manifest }: ProofPanelProps) {
  const { id, differences_digest: digest } = reconciliation;
  const command = `causeway verify reconciliation-${id.slice(0, 8)}.jws --url ${location.origin}`;
  return (
    <Panel title="How to verify the report">
      <p className={styles.words}>
        The signed report is a JWS (EdDSA). The command line verifies it, also without this service, by a copy of{' '}
        <a href="/.well-known/jwks.json">/.well-known/jwks.json</a>:
      </p>
      <p className={styles.command}>
        <code>{command}</code> <CopyButton text={command} name="command" />
      </p>
      <KeyValues
        of={[
          ['Reconciliation', <code key="id">{id}</code>],
          ['Manifest', <code key="manifest">{reconciliation.manifest_id}</code>],
          ['SHA-256 of the manifest', <code key="of-manifest">{manifest?.digest}</code>],
          ['SHA-256 of the differences', <code key="of-differences">{digest}</code>],
        ]}
      />
    </Panel>
  );
}
