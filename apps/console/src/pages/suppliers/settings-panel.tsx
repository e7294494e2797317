import { type FormEvent, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Panel } from '../../components/panel.tsx';
import { Refusal } from '../../components/refusal.tsx';
import { Row } from '../../components/stack.tsx';
import type { InputOf, OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { SETTINGS, settingValue, textOf } from './setting.ts';
import { SettingField } from './setting-field.tsx';
import styles from './settings-panel.module.css';

type Supplier = OutputOf<'importSuppliers.get'>;

const { code: _, ...CHANGED } = SETTINGS.update;

/** What belongs together. Each setting is in the first group that has it, also one that comes later. */
const GROUPS = [
  { title: 'General', has: /^(name|country|document_root)$/ },
  { title: 'E-mails to customers', has: /email/ },
  { title: 'Speed', has: /limit|parallelism/ },
  { title: 'Data', has: /./ },
];
const groupOf = (name: string) => GROUPS.find(({ has }) => has.test(name));

/** The settings of an import supplier. Only those that were changed are sent. */
export function SettingsPanel({ supplier }: { supplier: Supplier }) {
  const [edited, setEdited] = useState<Record<string, string>>({});
  const update = useAction('importSuppliers.update');
  const stored = (name: string) => textOf(supplier[name as keyof Supplier]);
  const changes = Object.entries(edited).filter(([name, text]) => text !== stored(name));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values = changes.map(([name, text]) => [name, settingValue(CHANGED[name] ?? {}, text)]);
    const input = { code: supplier.code, ...Object.fromEntries(values) } as InputOf<'importSuppliers.update'>;
    update.mutate(input, { onSuccess: () => setEdited({}) });
  };
  return (
    <Panel title="Settings">
      <form onSubmit={submit} className={styles.form} aria-label="Settings">
        {GROUPS.map(({ title }) => (
          <Group
            key={title}
            title={title}
            textIn={(name) => edited[name] ?? stored(name)}
            onChange={(change) => setEdited({ ...edited, ...change })}
          />
        ))}
        <Refusal of={update.error} />
        <Row>
          <Button type="submit" variant="primary" isDisabled={changes.length === 0} isPending={update.isPending}>
            Save settings
          </Button>
          {changes.length > 0 && <Button onPress={() => setEdited({})}>Discard changes</Button>}
          {update.isSuccess && changes.length === 0 && (
            <p role="status">Saved: takes effect everywhere within 5 seconds.</p>
          )}
        </Row>
      </form>
    </Panel>
  );
}

interface GroupProps {
  title: string;
  textIn(name: string): string;
  onChange(change: Record<string, string>): void;
}

function Group({ title, textIn, onChange }: GroupProps) {
  return (
    <fieldset className={styles.group}>
      <legend>{title}</legend>
      {Object.entries(CHANGED)
        .filter(([name]) => groupOf(name)?.title === title)
        .map(([name, setting]) => (
          <SettingField
            key={name}
            name={name}
            setting={setting}
            value={textIn(name)}
            onChange={(text) => onChange({ [name]: text })}
          />
        ))}
    </fieldset>
  );
}
