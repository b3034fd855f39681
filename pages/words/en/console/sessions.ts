/** The live sessions. */
export const sessions = {
  title: 'Live sessions',
  caption: 'Live sessions, latest sign-in first',
  count: (total: string) => `${total} live`,
  search: 'Search by user name',
  who: 'Name',
  username: 'User name',
  device: 'Device',
  address: 'Address',
  signedIn: 'Signed in',
  active: 'Active',
  yours: 'This one',
  end: 'End',
  endOf: (name: string, device: string) => `End session of ${name}, ${device}`,
  ended: (name: string) => `A session of ${name} has ended.`,
  none: 'Nobody is signed in',
  noneHint: 'Sessions appear here while people are signed in.',
}
