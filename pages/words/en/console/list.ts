/** What all lists say. */
export const list = {
  rows: 'Rows',
  page: 'Page',
  ofPages: (count: string) => `of ${count}`,
  range: (from: string, to: string) => `${from}–${to} of `,
  notLoaded: 'The list could not be loaded',
  tryNow: 'Try now',
  loading: 'Loading',
  nothing: 'Nothing matches',
  nothingHint: 'No row matches the search and the filters.',
  clear: 'Clear search and filters',
  removeFilter: (name: string) => `Remove filter ${name}`,
  filter: (name: string, value: string) => `${name}: ${value}`,
  period: 'Time',
  since: (time: string) => `Since ${time}`,
  periods: { day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days' },
}
