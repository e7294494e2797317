import type { ReactNode } from 'react';
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components';
import styles from './tabs.module.css';

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; name: ReactNode; content: ReactNode }[];
  /** From the search parameters, so that a link leads to the tab. */
  selected: Id;
  onSelect(id: Id): void;
}

/** Several views of the same thing, one at a time. */
export function Tabs<Id extends string>({ label, tabs, selected, onSelect }: TabsProps<Id>) {
  return (
    <AriaTabs className={styles.tabs} selectedKey={selected} onSelectionChange={(key) => onSelect(key as Id)}>
      <TabList className={styles.list} aria-label={label}>
        {tabs.map(({ id, name }) => (
          <Tab key={id} id={id} className={styles.tab}>
            {name}
          </Tab>
        ))}
      </TabList>
      {tabs.map(({ id, content }) => (
        <TabPanel key={id} id={id} className={styles.panel}>
          {content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
