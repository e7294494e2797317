import { getRouteApi, Link } from '@tanstack/react-router';
import { FilterBar } from '../../components/filter-bar.tsx';
import { stateChoices } from '../../components/options.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Empty, Read } from '../../components/read.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import { ask } from '../../data/ask.ts';
import { refusalText } from '../../data/refusal-text.ts';
import { useLive } from '../../data/use-live.ts';
import { words } from '../../format/words.ts';
import { SupplierPlaces } from '../suppliers/supplier-places.tsx';
import { askEmails, type Email, type EmailSearch, STATES } from './ask-emails.ts';
import { EmailsTable } from './emails-table.tsx';

const route = getRouteApi('/shell/suppliers/$code/emails');
const isWaiting = ({ state, attempts }: Email) => state === 'SENDING' || (state === 'QUEUED' && attempts === 0);

/** Did the customers of a supplier get their e-mails? */
export function EmailsPage() {
  const { code } = route.useParams();
  const search = route.useSearch();
  const list = useLive(askEmails(code, search), (emails) => emails.some(isWaiting));
  const isUnknown = refusalText(list.error).code === 'account_not_found';
  return (
    <>
      <PageHeader
        title={`E-mails of ${code}`}
        question={<Sender code={code} />}
        updated={<UpdatedAgo at={list.dataUpdatedAt} />}
      />
      <SupplierPlaces code={code} />
      <FilterBar
        filters={[
          {
            name: 'state',
            label: 'State',
            none: search.account === undefined ? 'refused, given up or in doubt' : 'all',
            choices: stateChoices(STATES),
          },
          { name: 'account', label: 'Account', placeholder: 'Its old number' },
        ]}
        search={search}
      />
      {isUnknown ? (
        <Empty>
          {code} has no account with the number {search.account}.
        </Empty>
      ) : (
        <Read of={list}>
          {(emails) => (
            <EmailsTable
              key={`${search.state} ${search.account}`}
              code={code}
              emails={emails}
              empty={<NoEmails code={code} search={search} />}
            />
          )}
        </Read>
      )}
    </>
  );
}

/** From whom they come; or that there are none, or no such supplier. */
function Sender({ code }: { code: string }) {
  const { data, error } = useLive(ask('importSuppliers.get', { code }));
  if (data === undefined) return error && refusalText(error).sentence;
  if (data.send_customer_emails) return `From ${data.email_sender}`;
  return (
    <>
      It sends none now. They are switched on in{' '}
      <Link to="/suppliers/$code" params={{ code }}>
        its settings
      </Link>
      .
    </>
  );
}

function NoEmails({ code, search }: { code: string; search: EmailSearch }) {
  if (search.account !== undefined && search.state === undefined) {
    return `${code} sent no e-mails when this account was created, or it is not created yet.`;
  }
  if (search.state !== undefined) return `No e-mail is ${words(search.state.toLowerCase())}.`;
  return (
    <>
      No e-mail was refused or given up, and none is in doubt. See{' '}
      <Link from="/suppliers/$code/emails" to="." search={{ state: 'SENT' }}>
        what was sent
      </Link>{' '}
      or{' '}
      <Link from="/suppliers/$code/emails" to="." search={{ state: 'NOT_SENT' }}>
        what was not, and why
      </Link>
      .
    </>
  );
}
