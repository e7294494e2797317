import { quoted } from '../terminal/lines.ts';
import { KIND_NAMES, type KindName } from './kind-names.ts';
import { type ConvertOptions, filesOf } from './options.ts';

/** What another run does differently: further flags, other files of each kind, another output. */
export interface Changes {
  flags?: readonly string[];
  files?: (kind: KindName) => readonly string[];
  output?: string;
}

/**
 * The command that was given, with changes, so that it can be pasted: a line a flag, none of them lost. Each line but
 * the last ends with a backslash.
 */
export function commandLines(options: ConvertOptions, { flags = [], files, output }: Changes): string[] {
  const parts = [
    ...(files === undefined && options.files !== undefined && options.files.length > 0
      ? [options.files.map(quoted).join(' ')]
      : []),
    ...KIND_NAMES.flatMap((kind) => filesFlag(kind, files?.(kind) ?? filesOf(options, kind))),
    ...valueFlag('--mapping', options.mapping),
    ...valueFlag('--mapping-minutes', options.mappingMinutes),
    ...valueFlag('--supplier', options.supplier),
    ...repeated('--encoding', options.encoding),
    ...repeated('--separator', options.separator),
    ...repeated('--fixed-width', options.fixedWidth),
    ...repeated('--sheet', options.sheet),
    ...repeated('--header-line', options.headerLine),
    ...repeated('--quotes', options.quotes),
    ...ofKinds('--decimal-comma', options.decimalComma),
    ...repeated('--credit', options.credit),
    ...repeated('--date-format', options.dateFormat),
    ...repeated('--time-zone', options.timeZone),
    ...ofKinds('--cut-fractions', options.cutFractions),
    ...repeated('--empty-text', options.emptyText),
    ...(options.historyOnly ? ['--history-only'] : []),
    ...(options.keepUndocumented ? ['--keep-undocumented'] : []),
    ...(options.leaveOutUnmatched ? ['--leave-out-unmatched'] : []),
    ...(options.leaveOutDamaged ? ['--leave-out-damaged'] : []),
    ...(options.showValues ? ['--show-values'] : []),
    ...flags,
    `-o ${quoted(output ?? options.output)}`,
  ];
  return ['causeway convert', ...parts].map((part, index, { length }) => {
    return `  ${index > 0 ? '  ' : ''}${part}${index < length - 1 ? ' \\' : ''}`;
  });
}

/** The command with flags that answer its questions, and what to do with it. */
export function answersWith(options: ConvertOptions, flags: readonly string[]): string[] {
  const different = [...new Set(flags)];
  const names = [...new Set(different.map((flag) => flag.split(' ')[0]))].join(' and ');
  return [`  Say which with ${names}, such as:`, ...commandLines(options, { flags: different })];
}

const filesFlag = (kind: KindName, files: readonly string[]) =>
  files.length === 0 ? [] : [`--${kind} ${files.map(quoted).join(' ')}`];

const valueFlag = (flag: string, value: string | undefined) =>
  value === undefined ? [] : [`${flag} ${quoted(value)}`];

const repeated = (flag: string, values: readonly string[] = []) => values.map((value) => `${flag} ${quoted(value)}`);

const ofKinds = (flag: string, kinds: readonly string[] | true = []) =>
  kinds === true ? [flag] : repeated(flag, kinds);
