import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { namedChoices } from '../../components/options.tsx';
import { Panel } from '../../components/panel.tsx';
import { Path } from '../../components/path.tsx';
import { Read } from '../../components/read.tsx';
import { SaveButton } from '../../components/save-button.tsx';
import text from '../../components/text.module.css';
import { ask, type InputOf, type OutputOf } from '../../data/ask.ts';
import { count, counted } from '../../format/numbers.ts';
import { capitalised, words } from '../../format/words.ts';
import { figureName, figureValue, type Reconciliation } from './figures.ts';

type Difference = OutputOf<'dataImport.reconciliationDifferences'>[number];
type Kind = Difference['kind'];
type Figure = NonNullable<InputOf<'dataImport.reconciliationDifferences'>['field']>;

const route = getRouteApi('/shell/reconciliations/$id');
/** As many as a page of the service may have; all of them are in the file. */
const MOST_SHOWN = 10_000;

const KINDS: Record<Kind, string> = {
  MISSING: 'never arrived',
  NOT_CREATED: 'not created',
  SKIPPED: 'skipped',
  DIFFERENT: 'a figure differs',
  EXTRA: 'not in the manifest',
};

/** Which accounts differ, in what, and why. */
export function DifferencesPanel({ reconciliation: { id, differences, ...rest } }: { reconciliation: Reconciliation }) {
  const { kind, field } = route.useSearch();
  const input = {
    reconciliation_id: id,
    limit: MOST_SHOWN,
    ...(isKind(kind) && { kind }),
    // As it is in the address: what is no figure, the service refuses.
    ...(field !== undefined && { field: field as Figure }),
  } satisfies InputOf<'dataImport.reconciliationDifferences'>;
  const rows = useQuery(ask('dataImport.reconciliationDifferences', input));
  return (
    <Panel title="Differences" aside={<File id={id} total={differences ?? 0} />}>
      {differences !== 0 && <Filters totals={rest.totals ?? []} />}
      <Read of={rows}>
        {(shown) => (
          <>
            <DataTable
              label="Differences by account"
              rows={shown}
              columns={columnsWith(rest.import_supplier, shown)}
              hasCards
              keyOf={(row) => `${row.external_account_number}/${row.field}`}
              linkOf={(row) => ({
                to: '/accounts/$code/$number',
                params: { code: rest.import_supplier, number: row.external_account_number },
              })}
              empty={differences === 0 ? 'None.' : 'No differences match. Clear the filter to see all of them.'}
            />
            {shown.length === MOST_SHOWN && <p>These are the first {count(MOST_SHOWN)}; the file has all of them.</p>}
          </>
        )}
      </Read>
    </Panel>
  );
}

/** Why is the same for all rows of an account, which stand together: the first of them says it. */
function columnsWith(code: string, rows: readonly Difference[]): readonly Column<Difference>[] {
  const first = new Set(
    rows.filter((row, place) => row.external_account_number !== rows[place - 1]?.external_account_number),
  );
  return [
    { name: 'Account', cell: (row) => row.external_account_number },
    { name: 'Kind', hideBelow: 'narrow', isWhole: true, cell: ({ kind }) => KINDS[kind] },
    { name: 'Figure', isWhole: true, cell: ({ field }) => figureName(field) },
    { name: 'Claimed', align: 'end', cell: ({ field, expected }) => figureValue(field, expected) },
    { name: 'Stored', align: 'end', cell: ({ field, actual }) => figureValue(field, actual) },
    { name: 'Why', hideBelow: 'medium', cell: (row) => (first.has(row) ? <Why code={code} of={row} /> : '') },
  ];
}

/** Problems name no place in a list: `customers.*.email`. */
const PLACE = /\.\d+(?=\.|$)/g;

/** Why it was skipped, or what was refused last of the account. */
function Why({ code, of: { kind: difference, reason, ...problem } }: { code: string; of: Difference }) {
  const { problem_operation: operation, problem_code: kind, problem_attr: attr } = problem;
  if (reason !== null) return reason;
  if (operation === null || kind === null) return difference === 'EXTRA' ? '–' : 'Nothing of it was refused.';
  return (
    <>
      <Link
        to="/migrations/$code/problems/$operation/$problem"
        params={{ code, operation, problem: kind }}
        search={attr ? { attr: attr.replaceAll(PLACE, '.*') } : {}}
      >
        {capitalised(words(kind))}
      </Link>
      <br />
      <span className={text.faint}>
        {words(operation)}
        {attr && (
          <>
            : <Path>{attr}</Path>
          </>
        )}
      </span>
    </>
  );
}

function File({ id, total }: { id: string; total: number }) {
  if (total === 0) return null;
  const path = `/v1/data-import/reconciliations/${id}/differences/`;
  return (
    <SaveButton path={path} name={`differences-${id.slice(0, 8)}.csv`} accept="text/csv">
      {`${counted(total, 'difference')} as CSV`}
    </SaveButton>
  );
}

function Filters({ totals }: { totals: NonNullable<Reconciliation['totals']> }) {
  const search = route.useSearch();
  const figures = totals.flatMap(({ figure }) => (figure === 'accounts' ? [] : [figure]));
  return (
    <FilterBar
      filters={[
        { name: 'kind', label: 'Kind', choices: namedChoices(KINDS) },
        {
          name: 'field',
          label: 'Figure',
          choices: ['account', ...figures].map((figure) => ({ value: figure, name: figureName(figure) })),
        },
      ]}
      search={search}
    />
  );
}

function isKind(kind: string | undefined): kind is Kind {
  return kind !== undefined && Object.hasOwn(KINDS, kind);
}
