import { invalidField } from '../../../lib/problem.js'

const picture = /^(https:\/\/[^\s"<>]+|data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2})$/

/** Throws `invalid_request` when an avatar is neither a https address nor a data URI of a picture. Absent is allowed. */
export const checkPicture = (avatar: string | null | undefined): void => {
  if (avatar != null && !picture.test(avatar)) throw invalidField('avatar', 'picture')
}
