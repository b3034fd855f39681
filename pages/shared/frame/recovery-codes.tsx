import { frame } from '../language/frame-words.js'
import { visible } from '../language/visible.js'
import { saveFile } from '../save-file.js'
import { CopyButton } from './copy-button.js'

interface RecoveryCodesProps {
  codes: readonly string[]
  service: string
  username: string
}

/** Recovery codes to copy, print and save. On paper they stand alone, with what they are for. */
export const RecoveryCodes = ({ codes, service, username }: RecoveryCodesProps) => {
  const lines = codes.join('\n')
  const heading = frame.forAccount(visible(service), visible(username))
  return (
    <div class="stack">
      <div class="sheet">
        <p class="on-paper">{heading}</p>
        <ol class="codes mono">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <div class="line">
        <CopyButton text={lines} />
        <button onClick={() => print()}>{frame.print}</button>
        <button onClick={() => saveFile('recovery-codes.txt', `${heading}\n\n${lines}\n`)}>{frame.save}</button>
      </div>
    </div>
  )
}
