/** What is replaced in a source; it must be there once. */
export interface Edit {
  file: string;
  find: string | RegExp;
  replace: string;
}

/** A plausible mistake, as an edit of the source: the row's scenario must fail on it. */
export interface Defect extends Edit {
  name: string;
  /** The row of the table, and how much of its scenario is run. */
  row: number;
  size: number;
  /**
   * The defect makes the service exit after its start. For any other defect, an early end of the run proves nothing.
   */
  endsTheService?: true;
  also?: Edit;
}

export const editsOf = ({ also, ...edit }: Defect): Edit[] => (also === undefined ? [edit] : [edit, also]);
