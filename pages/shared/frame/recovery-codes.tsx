import { frame } from '../language/frame-words.js'
import { saveFile } from '../save-file.js'
import { say } from './status-line.js'

/** Recovery codes to copy, print and save. */
export const RecoveryCodes = ({ codes, service }: { codes: readonly string[]; service: string }) => {
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join('\n'))
    say(frame.copied)
  }
  return (
    <div class="stack">
      <ol class="codes mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div class="line">
        {/* Browsers let pages write to the clipboard at encrypted addresses only. */}
        {isSecureContext && <button onClick={() => void copy()}>{frame.copy}</button>}
        <button onClick={() => print()}>{frame.print}</button>
        <button onClick={() => saveFile('recovery-codes.txt', `${service}\n\n${codes.join('\n')}\n`)}>
          {frame.save}
        </button>
      </div>
    </div>
  )
}
