import type { MailBehaviour, MailServer, Random } from '@causeway/testing';
import { carefulSender, type SendLedger } from './careful-sender.ts';
import { operationOn } from './operations.ts';
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

/** Accounts whose customers get e-mails, or none. */
export interface MailTravellers {
  readonly ledger: SendLedger;
  /** The kind of each account's e-mail: its address is `addressOf`. */
  readonly kinds: ReadonlyMap<string, string>;
  readonly arrived: number;
  /** Finishes the accounts that were begun, and begins no more. */
  finish(): Promise<void>;
}

export const addressOf = (account: string, kind: string): string => `${kind}.${account.toLowerCase()}@example.com`;

/** Clients create accounts, of each kind in turn. */
export function leadMailAccounts(
  world: ServiceWorld,
  supplier: Supplier,
  { mailServer, clients, random }: { mailServer: MailServer; clients: number; random: Random },
): MailTravellers {
  const ledger: SendLedger = { sent: 0, inDoubt: 0, odd: [] };
  const kinds = new Map<string, string>();
  const names = Object.keys(MAIL_KINDS);
  const { expect } = carefulSender(world, supplier, { ledger, random });
  let arrived = 0;
  let isFinishing = false;

  async function lead(account: string, kind: string): Promise<void> {
    const { behaviour, fields } = MAIL_KINDS[kind] ?? { ends: [] };
    const address = addressOf(account, kind);
    if (behaviour !== undefined) mailServer.behaveFor(address, behaviour);
    if (kind === 'suppressed') await suppress(world, supplier, address);
    const stage = operationOn(supplier, account, 'stage');
    const body = { ...stage.body, customers: customer(address), ...fields?.(address) };
    await expect({ path: stage.path, body }, ['201', '200']);
    const process = operationOn(supplier, account, 'process');
    await expect(process, ['201', '400 account_import_process_already_imported']);
    arrived += 1;
  }

  const leading = Promise.all(
    Array.from({ length: clients }, async () => {
      while (!isFinishing) {
        const account = `MAIL-${kinds.size + 1}`;
        const kind = names[kinds.size % names.length] ?? '';
        kinds.set(account, kind);
        await lead(account, kind);
      }
    }),
  );
  return {
    ledger,
    kinds,
    get arrived() {
      return arrived;
    },
    async finish() {
      isFinishing = true;
      await leading;
    },
  };
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
