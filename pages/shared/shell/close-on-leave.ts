import type { TargetedFocusEvent } from 'preact'

/** Closes a menu when the focus goes elsewhere: it would cover what has the focus then. */
export const closeOnLeave = ({ currentTarget, relatedTarget }: TargetedFocusEvent<HTMLDetailsElement>): void => {
  if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) currentTarget.open = false
}
