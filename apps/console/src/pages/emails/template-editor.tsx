import { TEMPLATE_NAMES, UNSUBSCRIBE_NAME } from '@causeway/contracts/codes';
import { LIMITS } from '@causeway/contracts/limits';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmButton } from '../../components/dialog-button.tsx';
import { Panel } from '../../components/panel.tsx';
import { Path } from '../../components/path.tsx';
import { Row, Stack } from '../../components/stack.tsx';
import text from '../../components/text.module.css';
import { TextArea, TextField } from '../../components/text-field.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { useMayChange } from '../../data/use-role.ts';
import styles from './emails.module.css';
import { languageOf } from './language-of.ts';
import { TemplatePreview } from './template-preview.tsx';
import { type Texts, usePreview } from './use-preview.ts';

const NAMES = [
  ...Object.entries(TEMPLATE_NAMES).flatMap(([group, names]) => names.map((name) => `${group}.${name}`)),
  UNSUBSCRIBE_NAME,
];

/** What can be written between two braces. */
function TemplateNames() {
  return (
    <details className={styles.names}>
      <summary>What a template can name</summary>
      <p>
        Between two braces, as in <code>{'{{ customer.name }}'}</code>. What is not known of a customer is empty; in the
        HTML every value is escaped.
      </p>
      <ul>
        {NAMES.map((name) => (
          <li key={name}>
            <Path>{name}</Path>
          </li>
        ))}
      </ul>
    </details>
  );
}

export type Template = OutputOf<'emailTemplates.get'>;

interface TemplateEditorProps {
  code: string;
  language: string;
  stored: Template;
  /** The version of this language that is used; 0: none exists. */
  newest: number;
}

/** The texts beside what a customer would get. They are saved as another version. */
export function TemplateEditor({ code, language, stored, newest }: TemplateEditorProps) {
  const original: Texts = { subject: stored.subject, text: stored.text, html: stored.html };
  const [texts, setTexts] = useState(original);
  const mayChange = useMayChange();
  const { preview, error, faults } = usePreview({ code, language, texts, isEnabled: mayChange });
  const isEdited = texts.subject !== stored.subject || texts.text !== stored.text || texts.html !== stored.html;
  const hasFaults = Object.keys(faults).length > 0;
  const isNew = isEdited || stored.version !== newest || newest === 0;
  const set = (name: keyof Texts) => (value: string) => setTexts({ ...texts, [name]: value });
  const shared = (name: keyof Texts) => ({
    value: texts[name],
    onChange: set(name),
    error: faults[name],
    maxLength: LIMITS[`email_${name}`],
    isDisabled: !mayChange,
  });
  return (
    <Stack isWide>
      <Panel title="Texts">
        <TextField label="Subject" {...shared('subject')} />
        <TextArea label="Text" rows={10} {...shared('text')} />
        <TextArea label="HTML" rows={16} {...shared('html')} />
        <TemplateNames />
        {mayChange ? (
          <Row>
            <Save code={code} language={language} texts={texts} version={newest + 1} isPossible={isNew && !hasFaults} />
            {isEdited && <Button onPress={() => setTexts(original)}>Discard changes</Button>}
          </Row>
        ) : (
          <p className={text.faint}>A key that may only read changes no template, and sees no preview.</p>
        )}
      </Panel>
      {mayChange && <TemplatePreview preview={preview} error={error} hasFaults={hasFaults} />}
    </Stack>
  );
}

interface SaveProps {
  code: string;
  language: string;
  texts: Texts;
  version: number;
  isPossible: boolean;
}

function Save({ code, language, texts, version, isPossible }: SaveProps) {
  const navigate = useNavigate();
  const save = useAction('emailTemplates.set');
  const perform = async () => {
    await save.mutateAsync({ code, language, ...texts });
    await navigate({ to: '/suppliers/$code/templates/$language', params: { code, language }, replace: true });
  };
  return (
    <ConfirmButton
      label={`Save as version ${version}`}
      variant="primary"
      isDisabled={!isPossible}
      title={`Save version ${version} of ${languageOf(language)} for ${code}`}
      confirm="Save"
      perform={perform}
    >
      <p>
        E-mails in this language that are not sent yet are sent with it. Earlier versions stay, and can be saved again.
      </p>
    </ConfirmButton>
  );
}
