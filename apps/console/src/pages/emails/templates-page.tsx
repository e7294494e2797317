import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { NewButton } from '../../components/dialog-button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Path } from '../../components/path.tsx';
import { Read } from '../../components/read.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { TextField } from '../../components/text-field.tsx';
import { Time } from '../../components/time.tsx';
import { ask, type OutputOf } from '../../data/ask.ts';
import { useMayChange } from '../../data/use-role.ts';
import { SupplierPlaces } from '../suppliers/supplier-places.tsx';
import { languageOf } from './language-of.ts';

/** What stands between two braces, or a brace and a percent sign. */
const NAMED = /(\{\{.*?\}\}|\{%.*?%\})/;

/** A short text of a template: what it names is code, and is not broken in the middle of a word. */
function TemplateText({ children }: { children: string }) {
  return children.split(NAMED).map((part, place) =>
    // Every second part is what was found between the others.
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which are never moved
    place % 2 === 1 ? <Path key={place}>{part.replaceAll(' ', '\u00a0')}</Path> : part,
  );
}

type Version = OutputOf<'emailTemplates.list'>[number] | OutputOf<'emailTemplates.get'>;

const route = getRouteApi('/shell/suppliers/$code/templates');

/** What do the e-mails of a supplier say? */
export function TemplatesPage() {
  const { code } = route.useParams();
  const versions = useQuery(ask('emailTemplates.list', { code }));
  const own = useQuery(ask('emailTemplates.get', { code, language: 'en', version: 0 }));
  const mayChange = useMayChange();
  return (
    <>
      <PageHeader
        title={`Templates of ${code}`}
        question="What do its e-mails say? The newest version of a language is used. A language without one gets English."
        actions={mayChange && <NewLanguage code={code} />}
      />
      <SupplierPlaces code={code} />
      <Read of={versions}>
        {(rows) => (
          <DataTable
            label={`Templates of ${code}`}
            rows={own.data === undefined ? rows : [...rows, own.data]}
            columns={columnsOf(rows)}
            keyOf={({ language, version }) => `${language} ${version}`}
            linkOf={({ language, version }) => ({
              to: '/suppliers/$code/templates/$language',
              params: { code, language },
              search: { version: String(version) },
            })}
            hasCards
          />
        )}
      </Read>
    </>
  );
}

function columnsOf(rows: readonly Version[]): readonly Column<Version>[] {
  const newest = new Map<string, number>();
  for (const { language, version } of rows) newest.set(language, Math.max(version, newest.get(language) ?? 0));
  // The default of the service is used until there is an English one, and stands in for what cannot be rendered.
  const isUsed = ({ language, version }: Version) => version === (newest.get(language) ?? 0);
  return [
    { name: 'Language', cell: ({ language }) => languageOf(language) },
    { name: 'Version', cell: ({ version }) => (version === 0 ? 'default' : version) },
    { name: 'State', cell: (one) => <VersionState version={one.version} isUsed={isUsed(one)} /> },
    { name: 'Subject', cell: ({ subject }) => <TemplateText>{subject}</TemplateText> },
    {
      name: 'Set by',
      hideBelow: 'medium',
      isWhole: true,
      cell: ({ person, version }) => person ?? (version === 0 ? 'the service itself' : 'the service team'),
    },
    { name: 'Set', hideBelow: 'narrow', cell: ({ created_at }) => <Time at={created_at} /> },
  ];
}

function VersionState({ version, isUsed }: { version: number; isUsed: boolean }) {
  if (isUsed) return <StateBadge state="used" tone="good" />;
  return version === 0 ? <StateBadge state="in reserve" tone="waiting" /> : <StateBadge state="replaced" />;
}

/** Leads to the template of a language that has none yet. */
function NewLanguage({ code }: { code: string }) {
  const [language, setLanguage] = useState('');
  const navigate = useNavigate();
  const open = () =>
    navigate({ to: '/suppliers/$code/templates/$language', params: { code, language: language.trim() } });
  return (
    <NewButton label="New language">
      {(close) => (
        <FormDialog
          title="A template in another language"
          confirm="Write it"
          isReady={language.trim() !== ''}
          perform={open}
          onClose={close}
        >
          <TextField
            label="Language"
            value={language}
            onChange={setLanguage}
            description="Its tag: cy for Welsh; de is for de-AT too, unless that has its own."
          />
        </FormDialog>
      )}
    </NewButton>
  );
}
