import { initials } from '../language/visible.js'

interface FaceProps {
  user: { realName: string; username: string; avatar: string | null }
  isLarge?: boolean
}

/** Whether the pages show a picture: they ask no other host for one, which would learn who looks at whom. */
export const isShown = (avatar: string | null): avatar is string => avatar?.startsWith('data:') === true

/** The picture of a user, or initials: pictures of other hosts are not loaded. */
export const Face = ({ user: { realName, username, avatar }, isLarge = false }: FaceProps) => {
  const look = isLarge ? 'face large' : 'face'
  if (isShown(avatar)) return <img class={look} src={avatar} alt="" />
  return (
    <span class={look} aria-hidden="true">
      {initials(realName || username)}
    </span>
  )
}
