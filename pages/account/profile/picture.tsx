import { useRef } from 'preact/hooks'
import { Face, isShown } from '../../shared/frame/face.js'
import { request } from '../../shared/session/entered.js'
import { Refusal } from '../../shared/session/fault.js'
import type { Outcome } from '../../shared/shell/outcome.js'
import { useAccount } from '../account.js'
import { words } from '../words.js'
import { toAvatar } from './to-avatar.js'

/** The picture of the person, and the way to another one. */
export const Picture = ({ outcome }: { outcome: Outcome }) => {
  const { me, setMe } = useAccount()
  const input = useRef<HTMLInputElement>(null)

  const set = (picture: () => Promise<string | null>) => {
    const work = async () => {
      const avatar = await picture().catch(() => {
        throw new Refusal(words.noPicture)
      })
      setMe(await request('PATCH /auth/profile', { body: { avatar } }))
    }
    outcome.attempt(work(), words.saved)
  }

  const isElsewhere = me.avatar !== null && !isShown(me.avatar)
  const buttons = (
    <div class="line">
      <Face user={me} isLarge />
      <button onClick={() => input.current?.click()}>{words.changePicture}</button>
      {me.avatar !== null && (
        <button class="quiet" onClick={() => set(() => Promise.resolve(null))}>
          {words.removePicture}
        </button>
      )}
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label={words.picture}
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          currentTarget.value = ''
          if (file) set(() => toAvatar(file))
        }}
      />
    </div>
  )
  return (
    <div class="stack tight">
      {buttons}
      {isElsewhere && <p class="hint">{words.pictureElsewhere}</p>}
    </div>
  )
}
