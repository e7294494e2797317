import { buildInfo } from './build-info.ts';

interface Program {
  /** As the production folder calls it. */
  name: 'main' | 'worker' | 'migrate';
  /** What it does: a sentence. */
  purpose: string;
}

/**
 * A program of the service has its settings from variables alone (behaviour 16.2.6): with an argument it does not start.
 * Answers `--version` and `--help`, refuses any other, and ends the process in each case.
 */
export function takeNoArguments({ name, purpose }: Program): void {
  const given = process.argv.slice(2).join(' ');
  if (given === '') return;
  const { version, commit } = buildInfo;
  if (given === '--version' || given === '-v') {
    process.stdout.write(`${version} (${commit})\n`);
    process.exit(0);
  }
  if (given === '--help' || given === '-h') {
    const usage = `Usage: node ${name}.js. Its settings are variables of the environment: see docs/settings.md.`;
    process.stdout.write(`${purpose}\n${usage}\n--version prints the version, --help this text.\n`);
    process.exit(0);
  }
  process.stderr.write(`${name} takes no arguments but --version and --help, and was given: ${given}\n`);
  process.exit(2);
}
