import type { MailBehaviour, MailServer, Random } from '@causeway/testing';
import { type Claim, exactly, none } from '../scenario.ts';
import { lead, type Step, type Travellers } from './journeys.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

/** What every answer of the mail server has that is no success. */
const WORDS = 'words of a mail server';

/** What the mail server does to the e-mail of an account, or why none exists. */
interface Kind {
  behaviour?: MailBehaviour;
  /** Once the server is fixed it takes it, and nothing more happens. */
  isMended?: true;
  /** The states in which it may end, unless anyone who sent it is killed: then it may also be in doubt. */
  ends: readonly string[];
  /** Of the account. */
  fields?: (address: string) => Record<string, unknown>;
}

const refuses = (at: 'RCPT' | 'DATA', answer: string): MailBehaviour => ({
  ...{ kind: 'refuse', at },
  answer: `${answer} ${WORDS}`,
});

/** What hangs comes last: it keeps others waiting. */
export const MAIL_KINDS: Readonly<Record<string, Kind>> = {
  taken: { behaviour: { kind: 'take' }, ends: ['SENT'] },
  'taken-slowly': { behaviour: { kind: 'take', delayMs: 200 }, ends: ['SENT'] },
  'no-mailbox': { behaviour: refuses('RCPT', '550 5.1.1'), ends: ['REFUSED'] },
  'not-relayed': { behaviour: refuses('RCPT', '550'), ends: ['REFUSED'] },
  refused: { behaviour: refuses('DATA', '554 5.7.1'), ends: ['REFUSED'] },
  'put-off': { behaviour: refuses('RCPT', '451 4.7.1'), isMended: true, ends: ['SENT'] },
  'put-off-late': { behaviour: refuses('DATA', '452 4.3.1'), isMended: true, ends: ['SENT'] },
  'cut-early': { behaviour: { kind: 'cut', at: 'RCPT' }, isMended: true, ends: ['SENT'] },
  cut: { behaviour: { kind: 'cut', at: 'DATA' }, isMended: true, ends: ['IN_DOUBT', 'SENT'] },
  'cut-and-kept': { behaviour: { kind: 'cut', at: 'DATA', keeps: true }, isMended: true, ends: ['IN_DOUBT', 'SENT'] },
  'taken-and-hangs': { behaviour: { kind: 'take-and-hang' }, isMended: true, ends: ['SENT'] },
  'hangs-early': { behaviour: { kind: 'hang', at: 'RCPT' }, isMended: true, ends: ['SENT'] },
  hangs: { behaviour: { kind: 'hang', at: 'DATA' }, isMended: true, ends: ['IN_DOUBT', 'SENT'] },
  'hangs-and-kept': {
    behaviour: { kind: 'hang', at: 'DATA', keeps: true },
    isMended: true,
    ends: ['IN_DOUBT', 'SENT'],
  },
  'kept-with-an-odd-reply': {
    behaviour: { kind: 'say', words: `354 ${WORDS}\r\n` },
    isMended: true,
    ends: ['IN_DOUBT', 'SENT'],
  },
  suppressed: { ends: ['NOT_SENT SUPPRESSED'] },
  deceased: {
    ends: ['NOT_SENT DECEASED'],
    fields: (email) => ({ customers: [{ given_name: 'Zoë', family_name: 'Hartley', email, deceased: 'Reported' }] }),
  },
  'wants-letters': {
    ends: ['NOT_SENT PRINT'],
    fields: (email) => ({ customers: customer(email), communication_preference: 'PRINT' }),
  },
  unknown: {
    ends: ['NOT_SENT UNKNOWN_OCCUPIER'],
    fields: (billing_email) => ({ customers: undefined, unknown_occupier: true, billing_email }),
  },
};

const customer = (email: string) => [{ given_name: 'Zoë', family_name: 'Hartley', email }];

/** What a log may not have of the e-mails. */
export const MAIL_SECRETS = ['Zoë', 'Hartley', '@example.com', WORDS];

export const addressOf = (account: string, kind: string): string => `${kind}.${account.toLowerCase()}@example.com`;

/** Clients create accounts, of each kind of e-mail in turn; the address of its customer is `addressOf`. */
export function leadMailAccounts(
  world: ServiceWorld,
  supplier: Supplier,
  { mailServer, ...options }: { mailServer: MailServer; clients: number; random: Random },
): Travellers<string> {
  const names = Object.keys(MAIL_KINDS);
  const kindOf = (number: number) => names[number % names.length] ?? '';
  const stepsOf = async (account: string, kind: string): Promise<Step[]> => {
    const { behaviour, fields } = MAIL_KINDS[kind] ?? { ends: [] };
    const address = addressOf(account, kind);
    if (behaviour !== undefined) mailServer.behaveFor(address, behaviour);
    if (kind === 'suppressed') await suppress(world, supplier, address);
    return [{ name: 'stage', fields: { customers: customer(address), ...fields?.(address) } }, { name: 'process' }];
  };
  return lead(world, supplier, { ...options, prefix: 'MAIL', kindOf, stepsOf });
}

/** As the service team would: by a statement, since the service may be dead. */
async function suppress({ query }: ServiceWorld, { code }: Supplier, address: string): Promise<void> {
  await query(
    `INSERT INTO email_suppressions (import_supplier_code, address_digest, address, reason, created_at)
    VALUES ($1, sha256(convert_to(lower($2), 'UTF8')), $2, 'STAFF', now())`,
    [code, address],
  );
}

/** From now on the server takes what it did not take for now. */
export function fix(mailServer: MailServer, kinds: ReadonlyMap<string, string>): void {
  for (const [account, kind] of kinds) {
    if (MAIL_KINDS[kind]?.isMended) mailServer.behaveFor(addressOf(account, kind), { kind: 'take' });
  }
  mailServer.hangUp();
}

interface StoredMail {
  id: string;
  account: string;
  /** With the reason of one that is not sent. */
  ended: string;
  isSuppressed: boolean;
}

interface JudgedMail {
  /** By how they ended. */
  ends: Record<string, number>;
  claims: Claim[];
}

/** So many messages of an instance that is killed may be in doubt (behaviour 29.3). */
const IN_DOUBT_A_KILL = 40;

/** Compares what the database says of each e-mail with what the mail server has. */
export async function judgeMail(
  { query }: Pick<ServiceWorld, 'query'>,
  { code }: Supplier,
  { mailServer, kinds, kills }: { mailServer: MailServer; kinds: ReadonlyMap<string, string>; kills: number },
): Promise<JudgedMail> {
  const stored = await query<StoredMail>(
    `SELECT email.id, external_account_number AS account,
      concat_ws(' ', email.state, email.reason) AS ended,
      EXISTS (
        SELECT FROM email_suppressions AS suppression
        WHERE suppression.import_supplier_code = $1 AND suppression.address_digest = email.address_digest
      ) AS "isSuppressed"
    FROM customer_emails AS email JOIN account_imports AS import ON import.id = email.account_import_id
    WHERE email.import_supplier_code = $1`,
    [code],
  );
  const byAccount = Map.groupBy(stored, ({ account }) => account);
  const kept = Map.groupBy(mailServer.mails, ({ parsed }) => parsed.messageId?.replace(/^<|@.*$/g, '') ?? '');
  const timesKept = ({ id }: StoredMail) => kept.get(id)?.length ?? 0;
  const kindOf = ({ account }: StoredMail) => kinds.get(account) ?? '';
  const endsOf = (mail: StoredMail) => MAIL_KINDS[kindOf(mail)]?.ends ?? [];
  const isTold = (mail: StoredMail) =>
    mail.ended === 'SENT' ? timesKept(mail) === 1 : timesKept(mail) === 0 || mail.ended === 'IN_DOUBT';
  const byKill = stored.filter((mail) => mail.ended === 'IN_DOUBT' && !endsOf(mail).includes('IN_DOUBT'));
  const shown = (mail: StoredMail) => ({ ...mail, kind: kindOf(mail), kept: timesKept(mail) });
  const ends: Record<string, number> = {};
  for (const { ended } of stored) ends[ended] = (ends[ended] ?? 0) + 1;
  return {
    ends,
    claims: [
      ...none({
        'accounts without exactly one e-mail, or the reason why none exists': [...kinds].filter(
          ([account]) => byAccount.get(account)?.length !== 1,
        ),
        'e-mails that the server has more than once': [...kept]
          .filter(([, mails]) => mails.length > 1)
          .map(([id, mails]) => ({ id, to: mails[0]?.to })),
        'e-mails of which something else is said than the server did': stored
          .filter((mail) => !isTold(mail))
          .map(shown),
        'e-mails that ended otherwise than the server would have it': stored
          .filter((mail) => mail.ended !== 'IN_DOUBT' && !endsOf(mail).includes(mail.ended))
          .map(shown),
        'e-mails to another address than the one of its customer': stored.flatMap((mail) =>
          (kept.get(mail.id) ?? [])
            .filter(({ to }) => to !== addressOf(mail.account, kindOf(mail)))
            .map(() => shown(mail)),
        ),
        'e-mails of which the database knows nothing': [...kept.keys()].filter(
          (id) => !stored.some((mail) => mail.id === id),
        ),
        'addresses that are wrongly on the suppression list, or not': stored
          .filter(
            (mail) =>
              mail.isSuppressed !==
              (mail.ended === 'NOT_SENT SUPPRESSED' || (mail.ended === 'REFUSED' && kindOf(mail) === 'no-mailbox')),
          )
          .map(shown),
      }),
      exactly('e-mails left queued or being sent', (ends.QUEUED ?? 0) + (ends.SENDING ?? 0), 0),
      ...none({
        [`e-mails in doubt because of a kill, more than ${IN_DOUBT_A_KILL} a kill`]: byKill
          .slice(kills * IN_DOUBT_A_KILL)
          .map(shown),
      }),
    ],
  };
}
