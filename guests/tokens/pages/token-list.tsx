import type { Operations } from '../../../client/index.js'
import { useState } from 'preact/hooks'
import { base } from '../../../pages/shared/base.js'
import { CopyButton } from '../../../pages/shared/frame/copy-button.js'
import { frame } from '../../../pages/shared/language/frame-words.js'
import { Item } from '../../../pages/shared/frame/item.js'
import { ago, date } from '../../../pages/shared/language/language.js'
import { Name, visible } from '../../../pages/shared/language/visible.js'
import { Dialog } from '../../../pages/shared/shell/dialog.js'
import type { Outcome } from '../../../pages/shared/shell/outcome.js'
import { words } from './words.js'

export type Token = Operations['GET /auth/tokens']['data'][number]
export type Made = Operations['POST /auth/tokens']['data']

type Ends = Pick<Token, 'expiry'>
type Used = Pick<Token, 'lastUsedTime'>

/** In columns whose headings say what it is. */
export const endDate = ({ expiry }: Ends): string | undefined => (expiry === null ? undefined : date(new Date(expiry)))
export const lastUse = ({ lastUsedTime }: Used): string | undefined =>
  lastUsedTime === null ? undefined : ago(new Date(lastUsedTime))

export const endText = (token: Ends): string => {
  const end = endDate(token)
  return end === undefined ? words.endless : words.endsOn(end)
}

export const useText = (token: Used): string => {
  const use = lastUse(token)
  return use === undefined ? words.unused : words.used(use)
}

interface EndDialogProps {
  name: string
  onEnd: () => void
  onClose: () => void
}

/** Asks before a token ends. */
export const EndDialog = ({ name, onEnd, onClose }: EndDialogProps) => (
  <Dialog title={words.endTitle(visible(name))} onClose={onClose}>
    <p>{words.endText}</p>
    <div class="actions">
      <button class="danger" onClick={onEnd}>
        {words.end}
      </button>
      <button onClick={onClose}>{frame.cancel}</button>
    </div>
  </Dialog>
)

/** The token, this once, with a request that sends it. */
export const MadeToken = ({ made, onDone }: { made: Made; onDone: () => void }) => {
  const example = `curl -H 'Authorization: Bearer ${made.token}' ${base.href}auth/userInfo`
  return (
    <Dialog title={words.madeTitle(visible(made.name))} onClose={onDone}>
      <p>{words.madeHint}</p>
      <pre class="mono">{made.token}</pre>
      <div class="actions">
        <CopyButton text={made.token} />
      </div>
      <details>
        <summary>{words.example}</summary>
        <pre class="mono">{example}</pre>
      </details>
      <div class="actions">
        <button class="primary" onClick={onDone}>
          {words.done}
        </button>
      </div>
    </Dialog>
  )
}

interface TokenListProps {
  tokens: readonly Token[]
  /** Absent where the person may not end them. */
  end?: ((id: string) => Promise<unknown>) | undefined
  outcome: Outcome
  reload: () => void
}

/** The tokens of one account. */
export const TokenList = ({ tokens, end, outcome, reload }: TokenListProps) => {
  const [asked, setAsked] = useState<{ token: Token; button: HTMLElement }>()
  if (tokens.length === 0) return <p class="muted">{words.none}</p>
  return (
    <>
      <ul class="items">
        {tokens.map((token) => (
          <Item
            key={token.id}
            name={<Name text={token.name} />}
            facts={[
              words.start(token.start),
              endText(token),
              useText(token),
              token.permissions === null ? words.all : token.permissions.join(', '),
            ].join(' · ')}
          >
            {end && (
              <button
                aria-label={words.endOf(visible(token.name))}
                onClick={({ currentTarget }) => setAsked({ token, button: currentTarget })}
              >
                {words.end}
              </button>
            )}
          </Item>
        ))}
      </ul>
      {asked && end && (
        <EndDialog
          name={asked.token.name}
          onClose={() => setAsked(undefined)}
          onEnd={() => {
            const { token, button } = asked
            setAsked(undefined)
            outcome.remove(end(token.id), button, reload, words.ended(visible(token.name)))
          }}
        />
      )}
    </>
  )
}
