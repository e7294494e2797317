/**
 * A decimal string of the service, with thousands grouped and its pence as they are: no number of the browser could hold
 * them all. The service knows no currency: each import supplier has one.
 */
export function money(decimal: string): string {
  const [, sign = '', whole = '', pence = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(decimal) ?? [];
  if (whole === '') return decimal;
  return `${sign === '' ? '' : '−'}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${pence.padEnd(3, pence === '' ? '.00' : '0')}`;
}
