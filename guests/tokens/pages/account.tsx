import { useAccount } from '../../../pages/account/account.js'
import type { Brought } from '../../../pages/account/guests.js'
import type { Language } from '../../../pages/shared/language/language.js'
import { request } from '../../../pages/shared/session/entered.js'
import { useOutcome } from '../../../pages/shared/shell/outcome.js'
import { Page } from '../../../pages/shared/shell/shell.js'
import { rightsOf } from './rights.js'
import { TokensSection } from './tokens-section.js'
import { setWords, words } from './words.js'

/** The permissions of the service in words. */
let known: Record<string, string> = {}

/** The API tokens of the account. */
const Tokens = () => {
  const { me } = useAccount()
  const outcome = useOutcome()
  return (
    <Page title={words.title}>
      {outcome.notice}
      <TokensSection
        hint={words.hint}
        load={() => request('GET /auth/tokens')}
        make={(body) => request('POST /auth/tokens', { body })}
        rights={() => rightsOf(me.permissions, known)}
        end={(id) => request('DELETE /auth/tokens/{id}', { path: { id } })}
        outcome={outcome}
      />
    </Page>
  )
}

export const load = async (language: Language): Promise<Brought> => {
  setWords(language)
  const { roles } =
    language === 'zh'
      ? await import('../../../pages/words/zh/console/roles.js')
      : await import('../../../pages/words/en/console/roles.js')
  known = { ...roles.permissions, ...words.permissions }
  // A token of somebody without permissions could do nothing.
  const isFor = ({ permissions }: { permissions: readonly string[] }) => permissions.length > 0
  return { rooms: [{ path: 'tokens', text: words.title, component: Tokens, isFor }] }
}
