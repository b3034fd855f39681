import { useRef, useState } from 'preact/hooks'
import { Notice } from '../../shared/frame/notice.js'
import { say } from '../../shared/frame/status-line.js'
import { initials } from '../../shared/language/visible.js'
import { request } from '../../shared/session/entered.js'
import { Refusal, toFault } from '../../shared/session/fault.js'
import { useAccount } from '../account.js'
import { words } from '../words.js'
import { toAvatar } from './to-avatar.js'

/** The picture of the person, or initials: pictures of other hosts are not loaded. */
export const Picture = () => {
  const { me, setMe } = useAccount()
  const [problem, setProblem] = useState<string>()
  const input = useRef<HTMLInputElement>(null)

  const set = (picture: () => Promise<string | null>) => {
    setProblem(undefined)
    const work = async () => {
      const avatar = await picture().catch(() => {
        throw new Refusal(words.noPicture)
      })
      setMe(await request('PATCH /auth/profile', { body: { avatar } }))
      say(words.saved)
    }
    work().catch((error: unknown) => setProblem(toFault(error).message))
  }

  return (
    <>
      <div class="line">
        {me.avatar?.startsWith('data:') === true ? (
          <img class="face large" src={me.avatar} alt="" />
        ) : (
          <span class="face large" aria-hidden="true">
            {initials(me.realName || me.username)}
          </span>
        )}
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
      {problem !== undefined && <Notice kind="bad">{problem}</Notice>}
    </>
  )
}
