import { moveAccounts } from '../rig/move-accounts.ts';
import { isSo, none } from '../scenario.ts';
import type { Work } from './work.ts';

const CLIENTS = 6;
/** A key whose request was interrupted is claimed for 30 seconds: too long for the short form. */
const MANY_STRIKES = 50;
const KEYED_SHARE = 0.1;
/** So many strikes meet a request. */
const MEET_A_REQUEST = 10;

/** Clients move accounts: what was acknowledged is there afterwards, and nothing twice. */
export const moveAccountsOneByOne: Work = {
  async begin({ world, random, strikes }) {
    const supplier = await world.createSupplier();
    const keyedShare = strikes < MANY_STRIKES ? 0 : KEYED_SHARE;
    const movers = moveAccounts(world, { supplier, clients: CLIENTS, random, keyedShare });
    return {
      async judge() {
        const { figures, claims } = await movers.judge();
        const { ledger } = movers;
        return {
          figures: `${figures}; ${ledger.repeated} repeated with a key`,
          claims: [
            ...claims,
            ...none({ 'a request with a key answered otherwise than the first with it': ledger.unlike }),
            isSo('some requests were in doubt', ledger.inDoubt > 0 || strikes < MEET_A_REQUEST),
          ],
        };
      },
    };
  },
};
