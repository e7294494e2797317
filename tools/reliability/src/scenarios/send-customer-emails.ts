import { startMailServer, strikeAtRandom } from '@causeway/testing';
import { inTheLog } from '../rig/canaries.ts';
import { addressOf, fix, judgeMail, leadMailAccounts, MAIL_KINDS, MAIL_SECRETS } from '../rig/mail.ts';
import { SENDS_EMAILS } from '../rig/secrets.ts';
import { startWorld, type World } from '../rig/start-world.ts';
import { killInstances } from '../rig/strikers.ts';
import { waitUntil } from '../rig/wait.ts';
import { isSo, none, type Outcome, type Scenario } from '../scenario.ts';

const CLIENTS = 2;
const PEACE_MS = { from: 50, to: 1_000 };
const MANY_KILLS = 10;
/** Nothing takes longer, on a slow machine. */
const PATIENCE_MS = 300_000;
/** One of each kind, and more. */
const KINDS = Object.keys(MAIL_KINDS).length;

/** kill -9 of the service while it hands e-mails to a mail server that fails in every way. */
export const sendEmailsWhileKilled: Scenario = {
  row: 36,
  title: 'kill -9 of the service while it sends e-mails to customers, through a bad mail server',
  unit: 'kills',
  full: 20,
  short: 1,
  async run(kills, random): Promise<Outcome> {
    const isSmall = kills < MANY_KILLS;
    await using stack = new AsyncDisposableStack();
    const mailServer = await startMailServer();
    stack.defer(() => mailServer.close());
    const variables = { SMTP_URL: mailServer.url, EMAILS_PER_MINUTE: '1000000', LOG_LEVEL: 'info' };
    const world = stack.use(await startWorld({ instances: isSmall ? 1 : 2, variables }));
    const supplier = await world.createSupplier(SENDS_EMAILS);
    const travellers = leadMailAccounts(world, supplier, {
      mailServer,
      clients: CLIENTS,
      random: random.fork('accounts'),
    });
    await travellers.untilArrived(KINDS);
    // Without a kill: anyone who hangs is in doubt after half a minute.
    const isHangingInDoubt = () => hasSome(world, "state = 'IN_DOUBT' AND address LIKE 'hangs%'");
    const isToldInTime = isSmall || (await waitUntil(isHangingInDoubt, PATIENCE_MS));
    const [hanging = ''] = [...travellers.kinds].find(([, kind]) => kind === 'hangs-and-kept') ?? [];
    await waitUntil(() => mailServer.attempts(addressOf(hanging, 'hangs-and-kept')) > 0, PATIENCE_MS);
    const striker = killInstances(world, random.fork('victims'));
    const { strike } = striker;
    await strikeAtRandom(random.fork('strikes'), { times: kills, peaceMs: PEACE_MS, strike });
    const struckAt = new Date();
    await striker.finish();
    await travellers.untilArrived(KINDS);
    await travellers.finish();
    const { kinds, ledger } = travellers;
    fix(mailServer, kinds);
    await untilAllHaveEnded(world, isSmall ? struckAt : undefined);
    const { ends, claims } = await judgeMail(world, supplier, { mailServer, kinds, kills });
    const tally = Object.entries(ends).map(([ended, times]) => `${times} ${ended}`);
    return {
      figures: `${kills} kills; ${kinds.size} accounts with an e-mail or the reason why none exists: ${tally.sort().join(', ')}; the server has ${mailServer.mails.length}`,
      claims: [
        ...claims,
        ...none({
          'answers that must not occur': ledger.odd,
          "names, addresses and the server's words in the log": inTheLog(world, MAIL_SECRETS),
        }),
        isSo('who hangs is in doubt without a kill', isToldInTime),
        isSo('some were in doubt because of a kill', (ends.IN_DOUBT ?? 0) > 0),
      ],
    };
  },
};

const hasSome = async ({ count }: World, condition: string): Promise<boolean> =>
  (await count(`SELECT count(*) FROM customer_emails WHERE ${condition}`)) > 0;

/**
 * Lets the waits between attempts pass. The leases of who was killed are waited for, which takes 90 seconds, or have
 * passed too: of those that were taken before `killedAt`, when no instance has outlived it.
 */
async function untilAllHaveEnded(world: World, killedAt: Date | undefined): Promise<void> {
  const { query } = world;
  await waitUntil(async () => {
    await query(
      "UPDATE customer_emails SET next_attempt_at = now() WHERE state = 'QUEUED' AND next_attempt_at > now()",
    );
    if (killedAt !== undefined) {
      const ended = "UPDATE customer_emails SET lease_until = now() WHERE state = 'SENDING' AND updated_at < $1";
      await query(ended, [killedAt]);
    }
    return !(await hasSome(world, "state IN ('QUEUED', 'SENDING')"));
  }, PATIENCE_MS);
}
