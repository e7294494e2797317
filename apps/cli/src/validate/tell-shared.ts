import type { LineRemark } from '@causeway/book';
import { noFindings, type TotalFindings } from './findings.ts';
import type { ReportFiles } from './report-files.ts';
import type { SharedMeterPoints } from './shared-meter-points.ts';

const CODE = 'meter_point_in_two_accounts';
const TOLD_AT_ONCE = 1_000;

interface Told {
  report: ReportFiles;
  total: TotalFindings;
}

/** Adds the lines that share a meter point to the findings and, each in a line of its own, to the end of the results. */
export async function tellShared(points: SharedMeterPoints, { report, total }: Told): Promise<void> {
  let results: string[] = [];
  const write = async () => {
    await report.add({ results: Buffer.from(results.join('')), failed: Buffer.alloc(0) });
    results = [];
  };
  for (const { file, line, account, fields, others } of points.find()) {
    // It brings the schemas, which are needed only if there is something to tell.
    const { describeField, withoutPlaces } = await import('@causeway/book');
    const step = 'validate';
    const clusters = [...new Set([...fields].map(withoutPlaces))].map((attr) => {
      const description = describeField(step, attr);
      return { step, code: CODE, attr, description, accounts: 1, samples: [account], refused: false };
    });
    total.add({ ...noFindings(), clusters });
    const detail = { other_accounts: [...others].join(', ') };
    const warnings = [...fields].sort().map((attr): LineRemark => ({ code: CODE, attr, detail }));
    const of = file === '' ? {} : { file };
    const result = { ...of, line, external_account_number: account, outcome: 'accepted', warnings };
    results.push(`${JSON.stringify(result)}\n`);
    if (results.length >= TOLD_AT_ONCE) await write();
  }
  await write();
}
