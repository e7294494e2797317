import { useEffect, useId, useState } from 'react';
import { Button } from './button.tsx';
import styles from './filter-bar.module.css';

/** One field of a filter, by the name of its search parameter. */
export type Filter<Name extends string> =
  | { kind: 'text'; name: Name; label: string; placeholder?: string }
  | {
      kind: 'choice';
      name: Name;
      label: string;
      choices: readonly { value: string; name: string }[];
      /** What is shown without a choice; all, unless it says otherwise. */
      none?: string;
    };

interface FilterBarProps<Name extends string> {
  filters: readonly Filter<Name>[];
  /** The page's search parameters: `route.useSearch()`. */
  search: Readonly<Partial<Record<Name, string | undefined>>>;
  /** Gets the new value of one: `(change) => navigate({ search: (before) => ({ ...before, ...change }), replace: true })` */
  onChange(change: Partial<Record<Name, string | undefined>>): void;
}

/** What a list is narrowed to. It stands in the address, so that a link shows the same. */
export function FilterBar<Name extends string>({ filters, search, onChange }: FilterBarProps<Name>) {
  const isFiltered = filters.some(({ name }) => search[name] !== undefined);
  const set = (name: Name, value: string) => onChange({ [name]: value || undefined } as Partial<Record<Name, string>>);
  const clear = () => {
    onChange(Object.fromEntries(filters.map(({ name }) => [name, undefined])) as Partial<Record<Name, undefined>>);
  };
  return (
    <search className={styles.bar} aria-label="Filter">
      {filters.map((filter) => (
        <FilterField
          key={filter.name}
          filter={filter}
          value={search[filter.name] ?? ''}
          onChange={(value) => set(filter.name, value)}
        />
      ))}
      {isFiltered && (
        <Button variant="quiet" onPress={clear}>
          Clear
        </Button>
      )}
    </search>
  );
}

interface FilterFieldProps {
  filter: Filter<string>;
  value: string;
  onChange(value: string): void;
}

function FilterField({ filter, value, onChange }: FilterFieldProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{filter.label}</label>
      {filter.kind === 'text' ? (
        <TextFilter id={id} placeholder={filter.placeholder} value={value} onChange={onChange} />
      ) : (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{filter.none ?? 'all'}</option>
          {value !== '' && !filter.choices.some((choice) => choice.value === value) && (
            <option value={value}>{value}</option>
          )}
          {filter.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.name}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

/** Nobody wants to be asked at every letter. */
const REST_MS = 300;

interface TextFilterProps {
  id: string;
  placeholder: string | undefined;
  value: string;
  onChange(value: string): void;
}

/** Takes effect when nothing was typed for a moment. */
function TextFilter({ id, placeholder, value, onChange }: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(() => onChange(typed.trim()), REST_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  return (
    <input
      id={id}
      type="search"
      placeholder={placeholder}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
