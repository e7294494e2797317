import { namedChoices } from '../../components/options.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { ChoiceField, TextField } from '../../components/text-field.tsx';
import { choicesOf, flat, labelOf, type Setting } from './setting.ts';
import styles from './setting-field.module.css';

interface SettingFieldProps {
  name: string;
  setting: Setting;
  value: string;
  onChange(value: string): void;
}

const YES_OR_NO = namedChoices({ true: 'yes', false: 'no' });

/** The field of one setting, with the limits and the sentence of the contracts. */
export function SettingField({ name, setting, value, onChange }: SettingFieldProps) {
  const one = flat(setting);
  const { type, minimum, maximum, maxLength, isNullable } = one;
  const { choices, rest } = choicesOf(one);
  const description = (
    <>
      <Sentence>{rest}</Sentence>
      {choices.map(
        (choice) =>
          choice.meaning !== undefined && (
            <span key={choice.value} className={styles.choice} data-chosen={choice.value === value || undefined}>
              <b>{choice.name}</b>: {choice.meaning}
            </span>
          ),
      )}
    </>
  );
  const shared = { label: labelOf(name), description, value, onChange };
  if (type === 'boolean') return <ChoiceField {...shared} choices={YES_OR_NO} />;
  if (choices.length > 0) return <ChoiceField {...shared} choices={choices} />;
  if (type === 'integer') {
    return <TextField {...shared} type="number" min={minimum} max={maximum} isRequired={!isNullable} />;
  }
  return <TextField {...shared} maxLength={maxLength} />;
}
