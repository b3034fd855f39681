import type { ComponentChildren } from 'preact'
import { Name } from '../../shared/language/visible.js'

interface TitleCellProps {
  name: string
  /** The page of the row; undefined for those who may not see it. */
  href: string | undefined
  /** Before the name. */
  picture?: ComponentChildren
  /** Below the name, where columns have gone in the narrow. */
  children?: ComponentChildren
}

/** The cell that says what a row is. */
export const TitleCell = ({ name, href, picture, children }: TitleCellProps) => (
  <div class="who">
    {picture}
    <span>
      {href === undefined ? (
        <Name text={name} />
      ) : (
        <a href={href}>
          <Name text={name} />
        </a>
      )}
      {children !== undefined && <span class="sub">{children}</span>}
    </span>
  </div>
)
