import type { ComponentChildren } from 'preact'

interface ItemProps {
  name: ComponentChildren
  /** The whole text of what the name shortens. */
  title?: string
  facts?: ComponentChildren
  /** What one does with it. */
  children?: ComponentChildren
}

/** A line of a list `.items`: what it is, with the facts below it. */
export const Item = ({ name, title, facts, children }: ItemProps) => (
  <li>
    <div class="what">
      <p title={title}>{name}</p>
      {facts !== undefined && <p class="hint">{facts}</p>}
    </div>
    {children}
  </li>
)
