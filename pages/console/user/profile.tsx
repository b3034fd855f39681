import { useConsole } from '../console.js'
import { Danger } from './danger.js'
import { Facts } from './facts.js'
import { Fields } from './fields.js'
import { FieldTexts } from './field-texts.js'
import type { TabProps } from './user-page.js'
import { WithoutWayIn } from './without-way-in.js'

/** The fields of a user, and the facts beside them. */
export const Profile = (props: TabProps) => {
  const { may, mayChange } = useConsole()
  const isManaged = mayChange(props.user)
  return (
    <div class="cols">
      <div class="stack loose">
        <WithoutWayIn user={props.user} />
        {isManaged && may('system:user:edit') ? <Fields {...props} /> : <FieldTexts user={props.user} />}
        {isManaged && <Danger {...props} />}
      </div>
      <Facts user={props.user} />
    </div>
  )
}
