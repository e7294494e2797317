/** Whether a text is a day of the calendar, written `YYYY-MM-DD`. Date alone takes 30 February for 2 March. */
export function isRealDay(text: string): boolean {
  const midnight = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().slice(0, 'YYYY-MM-DD'.length) === text;
}
