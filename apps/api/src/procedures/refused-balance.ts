import type { FieldError } from '@causeway/contracts';
import { type BalanceFault, balanceErrors, type CheckBalanceOptions } from '@causeway/rules';

/** The errors of amounts that do not add up, if the import supplier is configured to refuse them. */
export function refusedBalance(
  { importSupplier }: CheckBalanceOptions,
  findFaults: () => BalanceFault[],
): FieldError[] {
  return importSupplier.balance_check === 'REFUSE' ? balanceErrors(findFaults()) : [];
}
