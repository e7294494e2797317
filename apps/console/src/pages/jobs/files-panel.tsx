import { Panel } from '../../components/panel.tsx';
import { Empty } from '../../components/read.tsx';
import { SaveButton } from '../../components/save-button.tsx';
import { Row } from '../../components/stack.tsx';
import { Time } from '../../components/time.tsx';
import type { Job } from './job-words.ts';

/** What can be downloaded of a job: to look at, and to correct and send again. */
export function FilesPanel({ job: { id, links, run, files_expire_at: expire } }: { job: Job }) {
  const name = (what: string) => `${what}-${id.slice(0, 8)}.ndjson`;
  return (
    <Panel title="Files to download">
      {run === 0 ? (
        <Empty>Files appear once the job starts.</Empty>
      ) : (
        <>
          <Row>
            <SaveButton path={links.results} name={name('results')}>
              Results
            </SaveButton>
            <SaveButton path={links.failed_rows} name={name('failed-rows')}>
              Failed rows
            </SaveButton>
            <SaveButton path={links.unprocessed_rows} name={name('unprocessed-rows')}>
              Unprocessed rows
            </SaveButton>
          </Row>
          <p>
            One line of JSON for each row. Failed and unprocessed rows are as they were sent, with personal data: who
            downloads them is recorded.
            {expire !== null && (
              <>
                {' '}
                The files are removed on <Time at={expire} />.
              </>
            )}
          </p>
        </>
      )}
    </Panel>
  );
}
