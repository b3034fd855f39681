/** The choice of the roles of a user. */
export const roleChoice = {
  roles: 'Roles',
  search: 'Search roles by name',
  none: 'No role has that in its name.',
  more: (count: number) => `There are ${count} more: search for them by name.`,
}
