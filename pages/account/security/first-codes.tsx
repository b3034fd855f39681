import { useState } from 'preact/hooks'
import { nameOf } from '../../shared/frame/branding.js'
import { RecoveryCodes } from '../../shared/frame/recovery-codes.js'
import { Dialog } from '../../shared/shell/dialog.js'
import { useAccount } from '../account.js'
import { words } from '../words.js'

export const useFirstCodes = () => {
  const [codes, setCodes] = useState<readonly string[]>()
  return { codes, show: setCodes, hide: () => setCodes(undefined) }
}

/** New recovery codes, until the person says that they are kept. */
export const FirstCodes = ({ codes, hide }: Pick<ReturnType<typeof useFirstCodes>, 'codes' | 'hide'>) => {
  const { config } = useAccount()
  if (!codes) return null
  return (
    <Dialog title={words.keepCodes} onClose={() => undefined}>
      <p>{words.keepCodesHint}</p>
      <RecoveryCodes codes={codes} service={nameOf(config)} />
      <button class="primary" onClick={hide}>
        {words.codesKept}
      </button>
    </Dialog>
  )
}
