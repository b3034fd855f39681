import { applyCompared, toCompared, type UserFilter, type UserSelection } from '../../user-list/selection.js'

/** The users of a selection who match a filter. */
export const applyFilter = <O>(selection: UserSelection<O>, filter: UserFilter): UserSelection<O> =>
  applyCompared(selection, toCompared(filter))
