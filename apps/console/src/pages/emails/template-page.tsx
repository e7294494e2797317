import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PageHeader } from '../../components/page-header.tsx';
import { Read } from '../../components/read.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import { ask } from '../../data/ask.ts';
import { dateTime } from '../../format/times.ts';
import { SupplierPlaces } from '../suppliers/supplier-places.tsx';
import { languageOf } from './language-of.ts';
import { type Template, TemplateEditor } from './template-editor.tsx';

const route = getRouteApi('/shell/suppliers/$code/templates/$language');

/** What does the e-mail in one language say? */
export function TemplatePage() {
  const { code, language } = route.useParams();
  const { version } = route.useSearch();
  const asked = version === undefined ? {} : { version: Number(version) };
  const template = useQuery({
    ...ask('emailTemplates.get', { code, language, ...asked }),
    // Nothing is taken away from under what somebody writes.
    refetchOnWindowFocus: false,
  });
  const versions = useQuery(ask('emailTemplates.list', { code }));
  const ofLanguage = versions.data
    ?.filter((each) => each.language === language.toLowerCase())
    .map((each) => each.version);
  const newest = ofLanguage && Math.max(0, ...ofLanguage);
  const read = template.data;
  return (
    <>
      <PageHeader
        title={`${languageOf(language)} template of ${code}`}
        question={read && originOf(read, language)}
        badge={read && newest !== undefined && <Badge template={read} newest={newest} language={language} />}
      />
      <SupplierPlaces code={code} />
      <Read of={template}>
        {(stored) =>
          newest !== undefined && (
            <TemplateEditor
              key={`${stored.language} ${stored.version}`}
              code={code}
              language={language}
              stored={stored}
              newest={newest}
            />
          )
        }
      </Read>
    </>
  );
}

interface BadgeProps {
  template: Template;
  newest: number;
  language: string;
}

function Badge({ template: { version, language: own }, newest, language }: BadgeProps) {
  if (own !== language.toLowerCase() || newest === 0) return <StateBadge state="no version of its own yet" />;
  return version === newest ? (
    <StateBadge state={`version ${version}, used`} tone="good" />
  ) : (
    <StateBadge state={`version ${version}, replaced`} />
  );
}

/** Where the texts come from. */
function originOf({ version, language: own, person, created_at }: Template, language: string): string {
  if (version === 0) return 'These are the default texts of the service. What you save here takes their place.';
  if (own !== language.toLowerCase())
    return `These are the texts in ${languageOf(own)}. Write them in ${languageOf(language)} and save them.`;
  return `Set by ${person ?? 'the service team'} on ${dateTime(created_at ?? '')}.`;
}
