import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useState } from 'react';
import { Button } from './button.tsx';
import styles from './filter-bar.module.css';
import { type Choices, Options } from './options.tsx';

/** One field of a filter, by the name of its search parameter: one of its choices or, without them, a text. */
export interface Filter<Name extends string> {
  name: Name;
  label: string;
  placeholder?: string;
  choices?: Choices;
  /** What is shown without a choice; all, unless it says otherwise. */
  none?: string;
}

interface FilterBarProps<Name extends string> {
  filters: readonly Filter<Name>[];
  /** The page's search parameters: `route.useSearch()`. */
  search: Readonly<Partial<Record<Name, string | undefined>>>;
  /** Further parameters of the page, which have no meaning once the list is another one. */
  resets?: readonly string[];
}

/** What a list is narrowed to. It stands in the address, so that a link shows the same. */
export function FilterBar<Name extends string>({ filters, search, resets = [] }: FilterBarProps<Name>) {
  const navigate = useNavigate();
  const isFiltered = filters.some(({ name }) => search[name] !== undefined);
  const change = (changed: Record<string, string | undefined>) => {
    const left = Object.fromEntries(resets.map((name) => [name, undefined]));
    const next = (before: object) => ({ ...before, ...left, ...changed });
    void navigate({ to: '.', search: next as never, replace: true });
  };
  return (
    <search className={styles.bar} aria-label="Filter">
      {filters.map((filter) => (
        <FilterField
          key={filter.name}
          filter={filter}
          value={search[filter.name] ?? ''}
          onChange={(value) => change({ [filter.name]: value || undefined })}
        />
      ))}
      {isFiltered && (
        <Button
          variant="quiet"
          onPress={() => change(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
        >
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
      {filter.choices === undefined ? (
        <TextFilter id={id} placeholder={filter.placeholder} value={value} onChange={onChange} />
      ) : (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{filter.none ?? 'all'}</option>
          {value !== '' && !filter.choices.some((choice) => choice.value === value) && (
            <option value={value}>{value}</option>
          )}
          <Options of={filter.choices} />
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
