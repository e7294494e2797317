/** Where the form of the CSV files can be seen, for those whose file cannot be read. */
export const EXPECTED_FORM = { lines: ['  To see the expected form: causeway sample --csv sample'] };
