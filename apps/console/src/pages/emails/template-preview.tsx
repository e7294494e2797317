import { useState } from 'react';
import { HtmlFrame } from '../../components/html-frame.tsx';
import { Panel } from '../../components/panel.tsx';
import { Empty, Loading } from '../../components/read.tsx';
import { Refusal } from '../../components/refusal.tsx';
import { Tabs } from '../../components/tabs.tsx';
import text from '../../components/text.module.css';
import type { OutputOf } from '../../data/ask.ts';
import styles from './emails.module.css';

interface TemplatePreviewProps {
  preview: OutputOf<'emailTemplates.preview'> | undefined;
  error: unknown;
  /** Some field is refused: what is shown is from before. */
  hasFaults: boolean;
}

/** What an invented customer would get. */
export function TemplatePreview({ preview, error, hasFaults }: TemplatePreviewProps) {
  const [part, setPart] = useState<'html' | 'text'>('html');
  return (
    <Panel title="Preview" aside={<span className={text.faint}>for an invented customer</span>}>
      <Refusal of={error} />
      {hasFaults && preview !== undefined && (
        <p className={styles.stale}>A field has an error, so this is the e-mail before that edit.</p>
      )}
      {preview === undefined ? (
        hasFaults ? (
          <Empty>A field has a fault, so there is nothing to show yet.</Empty>
        ) : (
          <Loading />
        )
      ) : (
        <>
          <dl className={styles.head}>
            <dt>From</dt>
            <dd>{preview.from ?? 'nobody yet: the supplier has no sender'}</dd>
            <dt>Subject</dt>
            <dd>{preview.subject}</dd>
          </dl>
          <Tabs<'html' | 'text'>
            label="Parts of the e-mail"
            selected={part}
            onSelect={setPart}
            tabs={[
              { id: 'html', name: 'HTML', content: <HtmlFrame title="HTML of the e-mail" html={preview.html} /> },
              { id: 'text', name: 'Text', content: <pre className={styles.text}>{preview.text}</pre> },
            ]}
          />
        </>
      )}
    </Panel>
  );
}
