import type { Branding } from '../../shared/frame/branding.js'
import { Gate } from '../../shared/frame/gate.js'
import { Notice } from '../../shared/frame/notice.js'
import type { Fault } from '../../shared/session/fault.js'
import { words } from '../words.js'

const plain: Branding = { systemName: null, systemLogo: null, browserTitle: null, copyrightInfo: null, helpUrl: null }

/** The page without the settings of the server: it is out of reach, or the tenant of the address is none. */
export const Unavailable = ({ fault, isTenant }: { fault: Fault; isTenant: boolean }) => (
  <Gate branding={plain} title={words.notSignedIn} heading={words.notSignedIn} view="unavailable">
    <Notice kind="bad">{isTenant && fault.reason === 'invalid_request' ? words.unknownTenant : fault.message}</Notice>
    <button onClick={() => location.reload()}>{words.tryAgain}</button>
  </Gate>
)
