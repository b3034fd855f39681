import { useEffect } from 'preact/hooks'
import { base, hasPage } from '../base.js'
import { frame } from '../language/frame-words.js'
import { chooseLanguage, language, languages, tags, type Language } from '../language/language.js'
import { handOver, onSignedOutElsewhere, signOut } from '../session/client.js'
import { whoIsSignedIn } from '../session/entered.js'
import { leaveAccount } from '../session/other-account.js'
import { keepTenant, signInAddress } from '../session/sign-in-address.js'
import { leaveEnd } from '../session/tab.js'

export interface MoreProps {
  /** The other page after the sign-in; false for who has nothing to do there. */
  otherPage: { name: 'account' | 'console'; text: string } | false
}

const leave = () => {
  leaveEnd('signedOut')
  keepTenant(undefined)
  location.assign(signInAddress(whoIsSignedIn().tenantId))
}

/** Below the navigation: the other page, the other languages, each under its own name, and the sign-out. */
export const More = ({ otherPage }: MoreProps) => {
  useEffect(
    () =>
      onSignedOutElsewhere((isReplaced) => {
        if (isReplaced) {
          leaveAccount(whoIsSignedIn().userId)
          // That of the other account, whose page may have kept it.
          location.assign(signInAddress())
        } else leave()
      }),
    [],
  )
  return (
    <ul class="me">
      {otherPage && hasPage(otherPage.name) && (
        <li>
          <a href={base.pathname + otherPage.name} target="_self">
            {otherPage.text}
          </a>
        </li>
      )}
      {(Object.keys(languages) as Language[])
        .filter((name) => name !== language)
        .map((name) => (
          <li key={name}>
            <button
              lang={tags[name]}
              onClick={() => {
                handOver()
                chooseLanguage(name)
              }}
            >
              {languages[name]}
            </button>
          </li>
        ))}
      <li>
        <button onClick={() => void signOut().then(leave, leave)}>{frame.signOut}</button>
      </li>
    </ul>
  )
}
