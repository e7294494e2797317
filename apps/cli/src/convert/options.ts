import { Failure } from '../frame/failure.ts';
import { KIND_NAMES, type KindName } from './kind-names.ts';

/** A flag that holds for all files, for one kind of them or, as `transactions.transaction_date=...`, for one column. */
type Said = readonly string[];

/** The flags of `convert`, as commander reads them; those of the kinds besides. */
export interface ConvertOptions extends Partial<Record<string, unknown>> {
  output: string;
  /** Those that a mapping reads. */
  files?: readonly string[] | undefined;
  mapping?: string | undefined;
  mappingMinutes?: string | undefined;
  supplier?: string | undefined;
  onlySupplier?: string | undefined;
  encoding?: Said;
  separator?: Said;
  fixedWidth?: Said;
  sheet?: Said;
  headerLine?: Said;
  quotes?: Said;
  /** True: of all kinds. */
  decimalComma?: readonly string[] | true;
  credit?: Said;
  dateFormat?: Said;
  timeZone?: Said;
  cutFractions?: readonly string[] | true;
  emptyText?: Said;
  historyOnly?: boolean;
  keepUndocumented?: boolean;
  leaveOutUnmatched?: boolean;
  leaveOutDamaged?: boolean;
  showValues?: boolean;
}

/** The files of a kind, as they were given. */
export function filesOf(options: ConvertOptions, kind: KindName): readonly string[] {
  const flag = kind.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase());
  return (options[flag] as readonly string[] | undefined) ?? [];
}

/** What a flag says: of the column before that of its kind, of that before that of all; the last one before earlier ones. */
export function valueFor(said: Said | undefined, kind: KindName, column?: string): string | undefined {
  const found = new Map<string, string>();
  for (const text of said ?? []) {
    const { scope, value } = scopeOf(text);
    found.set(scope, value);
  }
  return (column === undefined ? undefined : found.get(`${kind}.${column}`)) ?? found.get(kind) ?? found.get('');
}

/** All that a flag says of a column: of itself, of its kind, and of all kinds. */
export function valuesFor(said: Said | undefined, kind: KindName, column: string): ReadonlySet<string> {
  const scopes = [`${kind}.${column}`, kind, ''];
  return new Set((said ?? []).map(scopeOf).flatMap(({ scope, value }) => (scopes.includes(scope) ? [value] : [])));
}

/** Whether a flag that needs no value was given for all kinds or for this one. */
export function isSaid(said: readonly string[] | true | undefined, kind: KindName): boolean {
  return said === true || (said ?? []).includes(kind);
}

function scopeOf(text: string): { scope: string; value: string } {
  const [scope = '', ...rest] = text.split('=');
  const isScope = KIND_NAMES.some((name) => scope === name || scope.startsWith(`${name}.`));
  return isScope && rest.length > 0 ? { scope, value: rest.join('=') } : { scope: '', value: text };
}

/** @throws Failure for a word that is none */
export function creditFor(options: ConvertOptions, kind: KindName): 'negative' | 'positive' | undefined {
  const word = valueFor(options.credit, kind);
  if (word === undefined || word === 'negative' || word === 'positive') return word;
  throw new Failure('usage', `--credit takes negative or positive, not "${word}".`);
}

/** @throws Failure where a flag that takes kinds was given something else */
export function checkKinds(options: ConvertOptions): void {
  for (const [flag, said] of [
    ['--decimal-comma', options.decimalComma],
    ['--cut-fractions', options.cutFractions],
  ] as const) {
    if (said === undefined || said === true) continue;
    const other = said.find((kind) => !KIND_NAMES.some((name) => name === kind));
    if (other === undefined) continue;
    throw new Failure('usage', `${flag} takes a kind: ${KIND_NAMES.join(', ')}; not "${other}".`);
  }
}
