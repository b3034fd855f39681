import { sentences } from '../shared/language/language.js'
import { useState } from 'preact/hooks'
import { base, hasPage } from '../shared/base.js'
import { Notice } from '../shared/frame/notice.js'
import { visible } from '../shared/language/visible.js'
import { obstacleHere } from '../shared/session/client.js'
import type { Me } from '../shared/session/entered.js'
import { signInAddress } from '../shared/session/sign-in-address.js'
import { lostInReload } from '../shared/session/tab.js'
import { tabOnly } from '../shared/session/tab-only.js'
import type { ServedDocument } from './documents.js'
import { words } from './words.js'

interface BarProps {
  documents: ServedDocument[]
  onChoose: (url: string) => Promise<void>
  me: Me | undefined
}

/** Leads to the sign-in page, and from there back to what is open here. */
const signIn = () => {
  const next = location.pathname + location.search + location.hash
  location.assign(signInAddress(undefined, { next }))
}

/** Why nobody stays signed in at this address; undefined where a cookie keeps the session. */
const noteFor = (me: Me | undefined): string | undefined => {
  const obstacle = me ? obstacleHere() : lostInReload()
  return obstacle && sentences(me ? words.inTab : words.lost, tabOnly(obstacle))
}

/** What stands above the operations: which document is shown, and who is signed in. */
export const Bar = ({ documents, onChoose, me }: BarProps) => {
  const note = hasPage('sign-in') ? noteFor(me) : undefined
  const [isLacking, setLacking] = useState(false)
  const choose = (url: string) => {
    setLacking(false)
    onChoose(url).catch(() => setLacking(true))
  }
  return (
    <>
      <div class="bar">
        <a class="brand" href={base.href}>
          Rollcall
        </a>
        {documents.length > 1 && (
          <label>
            {words.document}{' '}
            <select onChange={({ currentTarget }) => choose(currentTarget.value)}>
              {documents.map(({ name, url }) => (
                <option key={url} value={url}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        {me ? (
          <p class="who">
            {words.signedInAs}{' '}
            {hasPage('account') ? (
              <a href={`${base.href}account`} target="_self">
                {visible(me.username)}
              </a>
            ) : (
              <b>{visible(me.username)}</b>
            )}
          </p>
        ) : (
          hasPage('sign-in') && (
            <button type="button" class="sign-in" onClick={signIn}>
              {words.signIn}
            </button>
          )
        )}
      </div>
      {note !== undefined && <Notice kind="warn">{note}</Notice>}
      {isLacking && <Notice kind="bad">{words.notLoaded}</Notice>}
    </>
  )
}
