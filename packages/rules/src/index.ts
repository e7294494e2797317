export { type CheckAccountOptions, checkAccount } from './check-account.ts';
export {
  type BalanceFault,
  balanceErrors,
  balanceFaultsOfAccount,
  balanceFaultsOfTransactions,
  type CheckBalanceOptions,
} from './check-balance.ts';
export { type CheckHistoryOptions, checkHistory } from './check-history.ts';
export { type CheckStatementsOptions, checkStatements } from './check-statements.ts';
export { JsonRefusal } from './strict-json/json-refusal.ts';
export { decodeUtf8, parseStrictJson, plainJson, requireObject } from './strict-json/strict-json.ts';
