import { WhoAmI } from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { callerProcedure } from './procedure.ts';

/** Whose key the caller has (behaviour 14.3.4). */
export const whoAmI = callerProcedure.output(WhoAmI).query(({ ctx }) => domain.whoAmI(ctx));
