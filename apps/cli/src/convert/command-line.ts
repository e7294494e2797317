import { fileFlagsAgain, linesOfCommand, repeated, valueFlags } from '../extract/file-flags.ts';
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
 * The command that was given, with changes, so that it can be pasted: none of its flags is lost.
 */
export function commandLines(options: ConvertOptions, { flags = [], files, output }: Changes): string[] {
  const parts = [
    ...(files === undefined && options.files !== undefined && options.files.length > 0
      ? [options.files.map(quoted).join(' ')]
      : []),
    ...KIND_NAMES.flatMap((kind) => filesFlag(kind, files?.(kind) ?? filesOf(options, kind))),
    ...valueFlags({
      mapping: options.mapping,
      'mapping-minutes': options.mappingMinutes,
      supplier: options.supplier,
      'only-supplier': options.onlySupplier,
    }),
    ...fileFlagsAgain(options),
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
  return linesOfCommand('causeway convert', parts);
}

const filesFlag = (kind: KindName, files: readonly string[]) =>
  files.length === 0 ? [] : [`--${kind} ${files.map(quoted).join(' ')}`];

const ofKinds = (flag: string, kinds: readonly string[] | true = []) =>
  kinds === true ? [flag] : repeated(flag, kinds);
