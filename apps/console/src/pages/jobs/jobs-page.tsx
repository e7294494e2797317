import { getRouteApi } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { useSteadyRows } from '../../components/new-rows.tsx';
import { namedChoices, stateChoices } from '../../components/options.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Read } from '../../components/read.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { Time } from '../../components/time.tsx';
import { UpdatedAgo } from '../../components/updated-ago.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { listOfSuppliers } from '../../data/list-of-suppliers.ts';
import { useLive } from '../../data/use-live.ts';
import { supplierChoices, useSuppliers } from '../../data/use-suppliers.ts';
import { count } from '../../format/numbers.ts';
import { JobState, tookOf } from './job-state.tsx';
import { answerOf, isMoving, KINDS } from './job-words.ts';

type JobRecord = OutputOf<'dataImport.listBulkJobs'>[number];

const route = getRouteApi('/shell/jobs');
const STATES = ['RUNNING', 'PLANNING', 'PAUSED', 'OPEN', 'REHEARSED', 'FINISHED', 'CANCELLED'];

const COLUMNS: readonly Column<JobRecord>[] = [
  { name: 'Job', cell: ({ label, id }) => label ?? id.slice(0, 8) },
  { name: 'Import supplier', isWhole: true, cell: (job) => job.import_supplier },
  { name: 'State', cell: (job) => <JobState of={job} /> },
  { name: 'Does', hideBelow: 'medium', cell: ({ kind }) => KINDS[kind] },
  { name: 'Lines', align: 'end', hideBelow: 'narrow', cell: ({ lines }) => (lines === null ? '–' : count(lines)) },
  { name: 'Created', hideBelow: 'narrow', cell: ({ created_at }) => <Time at={created_at} /> },
  { name: 'Took', align: 'end', hideBelow: 'medium', cell: (job) => tookOf(job) ?? '–' },
];

/** Which jobs run, and which wait? Of one import supplier or of all, newest first. */
export function JobsPage() {
  const search = route.useSearch();
  const suppliers = useSuppliers();
  const jobs = useLive(listOfSuppliers('dataImport.listBulkJobs', search.supplier), (all) => all.some(isMoving));
  return (
    <>
      <PageHeader
        title="Jobs"
        question={jobs.data === undefined ? 'Which jobs run, and which wait?' : answerOf(jobs.data, search.supplier)}
        updated={<UpdatedAgo at={jobs.dataUpdatedAt} />}
      />
      <FilterBar
        filters={[
          { name: 'supplier', label: 'Import supplier', choices: supplierChoices(suppliers.data) },
          { name: 'state', label: 'State', choices: stateChoices(STATES) },
          { name: 'kind', label: 'Does', choices: namedChoices(KINDS) },
        ]}
        search={search}
      />
      <Read of={jobs}>{(all) => <Jobs all={all} search={search} />}</Read>
    </>
  );
}

function Jobs({ all, search }: { all: readonly JobRecord[]; search: ReturnType<typeof route.useSearch> }) {
  const { steady, notice } = useSteadyRows(all, ({ id }) => id);
  const rows = steady.filter(({ state, kind }) => state === (search.state ?? state) && kind === (search.kind ?? kind));
  const empty =
    all.length === 0
      ? 'No job was created yet. A supplier creates one with `causeway upload`; accounts that are staged are created from the page of their migration.'
      : 'No jobs match. Clear the filter to see all of them.';
  return (
    <>
      {notice}
      <DataTable
        label="Jobs"
        rows={rows}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        hasCards
        linkOf={({ id }) => ({ to: '/jobs/$id', params: { id } })}
        empty={<Sentence>{empty}</Sentence>}
      />
    </>
  );
}
