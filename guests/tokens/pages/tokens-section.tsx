import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Loading } from '../../../pages/shared/frame/loading.js'
import type { Outcome } from '../../../pages/shared/shell/outcome.js'
import { Section } from '../../../pages/shared/shell/shell.js'
import { useLoaded } from '../../../pages/shared/use-loaded.js'
import type { Right } from './rights.js'
import { TokenForm, type Wanted } from './token-form.js'
import { MadeToken, TokenList, type Made, type Token } from './token-list.js'
import { words } from './words.js'

interface TokensSectionProps {
  hint: string
  load: () => Promise<Token[]>
  /** Absent where the person may not make any. */
  make?: ((wanted: Wanted) => Promise<Made>) | undefined
  /** What the owner may, and so what a token can be given. */
  rights: () => readonly Right[]
  /** In place of the way to make one: why there is none. */
  children?: ComponentChildren
  end?: ((id: string) => Promise<unknown>) | undefined
  outcome: Outcome
}

/** The tokens of one account, and the way to make another. */
export const TokensSection = ({ hint, load, make, rights, end, outcome, children }: TokensSectionProps) => {
  const tokens = useLoaded(load)
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<Made>()
  return (
    <Section heading={words.title} hint={hint}>
      <Loading of={tokens}>
        {(list) => <TokenList tokens={list} end={end} outcome={outcome} reload={tokens.reload} />}
      </Loading>
      {children}
      {make &&
        (isAdding ? (
          <TokenForm
            rights={rights()}
            make={make}
            onMade={(token) => {
              setAdding(false)
              setMade(token)
              tokens.reload()
            }}
            onCancel={() => setAdding(false)}
          />
        ) : (
          <div>
            <button onClick={() => setAdding(true)}>{words.add}</button>
          </div>
        ))}
      {made && <MadeToken made={made} onDone={() => setMade(undefined)} />}
    </Section>
  )
}
