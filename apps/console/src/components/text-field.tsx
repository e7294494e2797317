import { type HTMLInputTypeAttribute, type ReactNode, useId } from 'react';
import styles from './text-field.module.css';

interface TextFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  /** What it means, below it. */
  description?: ReactNode;
  type?: HTMLInputTypeAttribute;
  isRequired?: boolean;
  maxLength?: number | undefined;
  min?: number | undefined;
  max?: number | undefined;
  isDisabled?: boolean;
}

/** A field with its name above it and its meaning below. */
export function TextField({ label, value, onChange, description, isRequired, isDisabled, ...rest }: TextFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...rest}
        id={id}
        value={value}
        autoComplete="off"
        required={isRequired}
        disabled={isDisabled}
        aria-describedby={description === undefined ? undefined : `${id}-meaning`}
        onChange={(event) => onChange(event.target.value)}
      />
      <Meaning id={id} of={description} />
    </div>
  );
}

interface ChoiceFieldProps {
  label: string;
  value: string;
  onChange(value: string): void;
  choices: readonly { value: string; name: string }[];
  description?: ReactNode;
  isDisabled?: boolean;
}

/** One of several values. */
export function ChoiceField({ label, value, onChange, choices, description, isDisabled }: ChoiceFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        value={value}
        disabled={isDisabled}
        aria-describedby={description === undefined ? undefined : `${id}-meaning`}
        onChange={(event) => onChange(event.target.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
      <Meaning id={id} of={description} />
    </div>
  );
}

function Meaning({ id, of: meaning }: { id: string; of: ReactNode }) {
  if (meaning === undefined) return null;
  return (
    <p id={`${id}-meaning`} className={styles.meaning}>
      {meaning}
    </p>
  );
}
