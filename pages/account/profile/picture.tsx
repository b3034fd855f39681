import { useRef } from 'preact/hooks'
import { Face, isShown } from '../../shared/frame/face.js'
import { request } from '../../shared/session/entered.js'
import { Refusal } from '../../shared/session/fault.js'
import type { Outcome } from '../../shared/shell/outcome.js'
import { useAccount } from '../account.js'
import { words } from '../words.js'

/** Pixels of each side. */
const side = 256
/** Characters of a data URI. Lists leave longer pictures out, and every sign-in carries this one. */
const maxUri = 32 * 1024
const qualities = [0.9, 0.75, 0.6, 0.4, 0.2]

/** The middle of a picture as a small square, as a data URI. Rejects what the browser does not read as a picture. */
const toAvatar = async (file: Blob): Promise<string> => {
  const picture = await createImageBitmap(file)
  const length = Math.min(picture.width, picture.height)
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) throw new Error('This browser has no canvas')
  // What is transparent would be black in a JPEG.
  context.fillStyle = '#fff'
  context.fillRect(0, 0, side, side)
  const [left, top] = [(picture.width - length) / 2, (picture.height - length) / 2]
  context.drawImage(picture, left, top, length, length, 0, 0, side, side)
  picture.close()
  for (const quality of qualities) {
    const uri = canvas.toDataURL('image/jpeg', quality)
    if (uri.length <= maxUri) return uri
  }
  throw new Error('No picture of this size is larger')
}

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
