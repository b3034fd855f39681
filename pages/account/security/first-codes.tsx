import { nameOf } from '../../shared/frame/branding.js'
import { RecoveryCodes } from '../../shared/frame/recovery-codes.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { useAccount } from '../account.js'
import { words } from '../words.js'

/** New recovery codes, until the person says that they are kept. */
export const FirstCodes = ({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) => {
  const { config, me } = useAccount()
  return (
    <Dialog title={words.keepCodes} onClose={() => undefined}>
      <p>{words.keepCodesHint}</p>
      <RecoveryCodes codes={codes} service={nameOf(config)} username={me.username} />
      <button class="primary" onClick={onKept}>
        {words.codesKept}
      </button>
    </Dialog>
  )
}
