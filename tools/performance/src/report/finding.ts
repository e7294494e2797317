import { shown } from './statistics.ts';

/** One line of the table: a target and what the run found. */
export interface Finding {
  work: string;
  mustReach: string;
  aim: string;
  reached: string;
  verdict: string;
}

/** The findings of a part of the bench: lines of the table, and Markdown with the details. */
export interface PartResult {
  findings: Finding[];
  details: string[];
}

/** A value that must be at least, or at most, some number. */
export interface Goal {
  value: number;
  direction: 'at least' | 'at most';
  mustReach: number;
  aim?: number;
  unit?: string;
}

/** The line of the table for a value with a goal; a miss says by how much. */
export function judge(work: string, goal: Goal, reached = shown(goal.value)): Finding {
  const { value, direction, mustReach, aim, unit = '' } = goal;
  const sign = direction === 'at least' ? '>=' : '<=';
  const meets = (target: number) => (direction === 'at least' ? value >= target : value <= target);
  const short = Math.abs(value / mustReach - 1) * 100;
  const missed = `missed by ${shown(short)} %`;
  return {
    work,
    mustReach: `${sign} ${shown(mustReach)}${unit}`,
    aim: aim === undefined ? '' : `${shown(aim)}${unit}`,
    reached,
    verdict: meets(mustReach) ? (aim !== undefined && meets(aim) ? 'reached, and the aim' : 'reached') : missed,
  };
}

/** A Markdown table. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

export function findingsTable(findings: readonly Finding[]): string {
  const rows = findings.map(({ work, mustReach, aim, reached, verdict }) => [work, mustReach, aim, reached, verdict]);
  return table(['work', 'must reach', 'aim', 'reached', 'verdict'], rows);
}
