import type { ComponentChildren } from 'preact'
import { Gate } from '../../shared/frame/gate.js'
import { BoldName } from '../../shared/language/visible.js'
import { addressOf } from '../address.js'
import { useSignIn } from '../flow.js'
import { words } from '../words.js'

interface ViewProps {
  title: string
  heading: ComponentChildren
  lead?: ComponentChildren
  /** Identifies the view; absent means the title. */
  view?: string
  children: ComponentChildren
}

/** A view of the sign-in page in the look of the service. */
export const View = ({ view, ...props }: ViewProps) => (
  <Gate branding={useSignIn().config} view={view ?? props.title} {...props} />
)

/** The way back from what needs no session; who has one already is told whose. */
export const BackLink = () => {
  const { present } = useSignIn()
  return (
    <p class="small">
      {present !== undefined && words.takesPlace(<BoldName text={present} />)}{' '}
      <a href={addressOf('sign-in')}>{words.back}</a>
    </p>
  )
}
