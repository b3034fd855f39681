import { initials } from '../language/visible.js'

interface FaceProps {
  user: { realName: string; username: string; avatar: string | null }
  isLarge?: boolean
}

/** The picture of a user, or initials: pictures of other hosts are not loaded. */
export const Face = ({ user: { realName, username, avatar }, isLarge = false }: FaceProps) => {
  const look = isLarge ? 'face large' : 'face'
  if (avatar?.startsWith('data:') === true) return <img class={look} src={avatar} alt="" />
  return (
    <span class={look} aria-hidden="true">
      {initials(realName || username)}
    </span>
  )
}
