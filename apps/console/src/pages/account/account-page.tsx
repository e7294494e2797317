import { getRouteApi, Link } from '@tanstack/react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty, Read } from '../../components/read.tsx';
import { Stack } from '../../components/stack.tsx';
import { ask } from '../../data/ask.ts';
import { refusalText } from '../../data/refusal-text.ts';
import { useLive } from '../../data/use-live.ts';
import styles from './account.module.css';
import { AccountHeader } from './account-header.tsx';
import { Figures } from './figures.tsx';
import { OpenRefusals } from './open-refusals.tsx';
import { Payload } from './payload.tsx';
import { StoredRows } from './stored-rows.tsx';
import { Timeline } from './timeline.tsx';
import { useTimeline } from './use-timeline.ts';

const route = getRouteApi('/shell/accounts/$code/$number');

/** What happened to it, and who did it? */
export function AccountPage() {
  const { code, number } = route.useParams();
  // Nothing of the account before stays under the heading of the next one.
  return <Account key={`${code}/${number}`} code={code} number={number} />;
}

interface AccountProps {
  code: string;
  number: string;
}

function Account({ code, number }: AccountProps) {
  const one = { code, external_account_number: number };
  const stored = useLive(ask('accounts.getMasked', one));
  const imported = useLive(ask('accountImports.get', { ...one, masked: true }));
  const isMissing = refusalText(stored.error).code === 'account_not_found';
  if (isMissing) return <NeverStaged code={code} number={number} />;
  return (
    <Read of={stored}>
      {(account) => (
        <>
          <AccountHeader account={account} imported={imported.data} updatedAt={stored.dataUpdatedAt} />
          <OpenRefusals account={account} />
          <div className={styles.columns}>
            <Timeline code={code} number={number} />
            <div className={styles.column}>
              <Figures account={account} payload={imported.data?.payload} />
              <StoredRows account={account} />
              <Payload account={account} />
            </div>
          </div>
        </>
      )}
    </Read>
  );
}

/** It may have been refused before it was ever staged: then that is all there is to know. Or nobody knows the number. */
function NeverStaged({ code, number }: AccountProps) {
  const timeline = useTimeline(code, number);
  const isUnknown = refusalText(timeline.error).code === 'account_not_found';
  return (
    <>
      <PageHeader title={number} question={`Nothing was ever staged under this number for ${code}.`} />
      {isUnknown ? (
        <Empty>
          <p>Nothing was refused under it either: the number may be another one.</p>
          <p>
            <Link to="/accounts">Find the customer</Link> by a name, an e-mail address or another number.
          </p>
        </Empty>
      ) : (
        <Stack>
          {timeline.data !== undefined && <p>What was sent was refused: the reason stands below.</p>}
          <Timeline code={code} number={number} />
        </Stack>
      )}
    </>
  );
}
