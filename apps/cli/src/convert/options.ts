/** The kinds of file, as the flags are called. */
export const KIND_NAMES = [
  'accounts',
  'customers',
  'supply-points',
  'notes',
  'transactions',
  'statements',
  'payment-instructions',
] as const;
export type KindName = (typeof KIND_NAMES)[number];

/** A flag that holds for all files or, as `transactions=...`, for one kind of them. */
export type PerKind = readonly string[];

/** The flags of `convert`, as commander reads them. */
export interface ConvertOptions {
  accounts?: string[];
  customers?: string[];
  supplyPoints?: string[];
  notes?: string[];
  transactions?: string[];
  statements?: string[];
  paymentInstructions?: string[];
  output: string;
  supplier?: string;
  encoding?: PerKind;
  separator?: PerKind;
  /** True: of all kinds. */
  decimalComma?: readonly string[] | true;
  dateFormat?: PerKind;
  timeZone?: PerKind;
  emptyText?: PerKind;
  historyOnly?: boolean;
  keepUndocumented?: boolean;
  showValues?: boolean;
}

/** The files of a kind, as they were given. */
export function filesOf(options: ConvertOptions, kind: KindName): readonly string[] {
  const flag = kind.replace(/-(.)/g, (_match, letter: string) => letter.toUpperCase());
  return (options as unknown as Record<string, string[] | undefined>)[flag] ?? [];
}

/** What a flag says of a kind: its own value before that of all kinds, the last one before earlier ones. */
export function valueFor(values: PerKind | undefined, kind: KindName): string | undefined {
  let ofAll: string | undefined;
  let own: string | undefined;
  for (const value of values ?? []) {
    const { kind: named, value: said } = splitKind(value);
    if (named === undefined) ofAll = said;
    else if (named === kind) own = said;
  }
  return own ?? ofAll;
}

function splitKind(text: string): { kind?: KindName; value: string } {
  const kind = KIND_NAMES.find((name) => text.startsWith(`${name}=`));
  return kind === undefined ? { value: text } : { kind, value: text.slice(kind.length + 1) };
}

/** Whether decimals of the kind are written with a comma. */
export function hasDecimalComma({ decimalComma = [] }: ConvertOptions, kind: KindName): boolean {
  return decimalComma === true || decimalComma.includes(kind);
}
