import { createSmtpTransport, type EmailDependencies, readSmtpUrl } from '@causeway/domain';
import { type MailServer, startMailServer } from '@causeway/testing';
import { openTemplateRenderer } from '../../src/emails/open-template-renderer.ts';
import { startTestService, type TestService, type TestSupplier } from '../support/test-service.ts';

const SENDER = 'Northwind Energy <moving@northwind.example>';
export const MINUTE_MS = 60_000;

/** Sends at a time that stands still. */
export interface Sender extends EmailDependencies {
  moveOn(milliseconds: number): void;
}

type SenderSettings = Partial<Parameters<typeof createSmtpTransport>[0]> & { perMinute?: number; perMailbox?: number };

/** A service without lanes and a mail server: each slice of e-mails is sent when a test says so, at a time that it says. */
export interface SlicesWorld {
  mailServer: MailServer;
  service: TestService;
  /** It is after all others, so that it is not too early for it. */
  sender(settings?: SenderSettings): Sender;
  createSupplier(overrides?: object): Promise<TestSupplier>;
  /** Accounts with a customer each; their addresses. */
  move(of: TestSupplier, count: number, customer?: object): Promise<string[]>;
  /** The e-mail to this address, as it is stored. */
  stateOf(address: string): ReturnType<typeof storedEmail>;
  stop(): Promise<void>;
}

const storedEmail = ({ database }: TestService, address: string) =>
  database.prisma.customerEmail.findFirstOrThrow({ where: { address } });

export async function startSlices(): Promise<SlicesWorld> {
  const mailServer = await startMailServer();
  const service = await startTestService({ SMTP_URL: mailServer.url });
  // A busy machine needs long for what it needs a moment of the processor for.
  const templates = openTemplateRenderer({ cpuMs: 500, timeoutMs: 600_000 });
  let startsAt = Date.now() + MINUTE_MS;
  let people = 0;
  return {
    mailServer,
    service,
    sender({ perMinute = 1_000_000, perMailbox = 10, ...others } = {}) {
      startsAt += 100 * MINUTE_MS;
      let now = startsAt;
      return {
        database: service.database,
        clock: () => new Date(now),
        perMinute,
        perMailbox,
        templates,
        transport: createSmtpTransport({ server: readSmtpUrl(mailServer.url), dkim: undefined, ...others }),
        moveOn(milliseconds) {
          now += milliseconds;
        },
      };
    },
    createSupplier: (overrides = {}) =>
      service.createSupplier({ send_customer_emails: true, email_sender: SENDER, ...overrides }),
    async move(of, count, customer = {}) {
      const addresses = Array.from({ length: count }, () => {
        people += 1;
        return `person.${people}@example.com`;
      });
      for (const email of addresses) {
        await of.importAccount({ customers: [{ given_name: 'Zoë', family_name: 'Hartley', email, ...customer }] });
      }
      return addresses;
    },
    stateOf: (address) => storedEmail(service, address),
    async stop() {
      await templates.close();
      await service.stop();
      await mailServer.close();
    },
  };
}
