import type { MailServer } from '@causeway/testing';
import { type Claim, exactly, none } from '../scenario.ts';
import { addressOf, MAIL_KINDS } from './mail-journeys.ts';
import type { ServiceWorld, Supplier } from './service-world.ts';

interface StoredMail {
  id: string;
  account: string;
  /** With the reason of one that is not sent. */
  ended: string;
  isSuppressed: boolean;
}

export interface JudgedMail {
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
      none(
        'accounts without exactly one e-mail, or the reason why none exists',
        [...kinds].filter(([account]) => byAccount.get(account)?.length !== 1),
      ),
      none(
        'e-mails that the server has more than once',
        [...kept].filter(([, mails]) => mails.length > 1).map(([id, mails]) => ({ id, to: mails[0]?.to })),
      ),
      none(
        'e-mails of which something else is said than the server did',
        stored.filter((mail) => !isTold(mail)).map(shown),
      ),
      none(
        'e-mails that ended otherwise than the server would have it',
        stored.filter((mail) => mail.ended !== 'IN_DOUBT' && !endsOf(mail).includes(mail.ended)).map(shown),
      ),
      none(
        'e-mails to another address than the one of its customer',
        stored.flatMap((mail) =>
          (kept.get(mail.id) ?? [])
            .filter(({ to }) => to !== addressOf(mail.account, kindOf(mail)))
            .map(() => shown(mail)),
        ),
      ),
      none(
        'e-mails of which the database knows nothing',
        [...kept.keys()].filter((id) => !stored.some((mail) => mail.id === id)),
      ),
      none(
        'addresses that are wrongly on the suppression list, or not',
        stored
          .filter(
            (mail) =>
              mail.isSuppressed !==
              (mail.ended === 'NOT_SENT SUPPRESSED' || (mail.ended === 'REFUSED' && kindOf(mail) === 'no-mailbox')),
          )
          .map(shown),
      ),
      exactly('e-mails left queued or being sent', (ends.QUEUED ?? 0) + (ends.SENDING ?? 0), 0),
      none(
        `e-mails in doubt because of a kill, more than ${IN_DOUBT_A_KILL} a kill`,
        byKill.slice(kills * IN_DOUBT_A_KILL).map(shown),
      ),
    ],
  };
}
