import { Name } from '../../shared/language/visible.js'

/** The name of a role, with its key where that is another text. */
export const RoleName = ({ role: { key, name } }: { role: { key: string; name: string } }) => (
  <>
    <Name text={name} />
    {name !== key && (
      <span class="muted">
        {' '}
        <Name text={key} />
      </span>
    )}
  </>
)
