/** A plausible mistake, as edits of the source: the row's scenario must fail on it. */
export interface Defect {
  name: string;
  /** The row of the table, and how much of its scenario is run. */
  row: number;
  size: number;
  /**
   * The defect makes the service exit after its start. For any other defect, an early end of the run proves nothing.
   */
  endsTheService?: true;
  edits: readonly { file: string; find: string | RegExp; replace: string }[];
}
