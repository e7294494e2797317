/** What the headers of exports abbreviate. */
const WHOLE_WORDS: Readonly<Record<string, string>> = {
  acc: 'account',
  acct: 'account',
  addr: 'address',
  address: 'address',
  agr: 'agreement',
  amt: 'amount',
  bal: 'balance',
  bill: 'billing',
  corr: 'correspondence',
  cust: 'customer',
  desc: 'description',
  doc: 'document',
  dt: 'date',
  dte: 'date',
  dtm: 'datetime',
  dttm: 'datetime',
  timestamp: 'datetime',
  eff: 'effective',
  elec: 'electricity',
  forename: 'given',
  first: 'given',
  last: 'last',
  id: 'number',
  ident: 'number',
  identifier: 'number',
  inst: 'install',
  installation: 'install',
  installed: 'install',
  inv: 'invoice',
  mob: 'mobile',
  mth: 'month',
  mtr: 'meter',
  nbr: 'number',
  no: 'number',
  nr: 'number',
  num: 'number',
  pay: 'payment',
  pcode: 'postcode',
  postal: 'post',
  prem: 'premise',
  premises: 'premise',
  prod: 'product',
  pstcd: 'postcode',
  qty: 'quantity',
  rdg: 'reading',
  read: 'reading',
  ref: 'reference',
  reg: 'register',
  ser: 'serial',
  stmt: 'statement',
  sup: 'supply',
  tel: 'phone',
  telephone: 'phone',
  trans: 'transaction',
  tran: 'transaction',
  txn: 'transaction',
  trx: 'transaction',
  typ: 'type',
  val: 'value',
  zip: 'postcode',
};

/** The words of a header in whatever dress, abbreviations in full: `ACCT_NO` and `AccountId` are `account number`. */
export function wordsOf(header: string): string[] {
  const words = header
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replaceAll(/(\p{L})(\d)/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return words.map((word) => (Object.hasOwn(WHOLE_WORDS, word) ? (WHOLE_WORDS[word] ?? word) : word));
}

/** What two names share that mean the same: their words, run together. */
export const keyOfName = (header: string) => wordsOf(header).join('');
