import type { ComponentChildren } from 'preact'

/** A line of a list `.facts`. */
export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
