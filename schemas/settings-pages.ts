import { Type } from '@sinclair/typebox'

export const Pages = Type.Object(
  {
    signIn: Type.Boolean({
      default: true,
      description: 'The sign-in page, `/sign-in`; `false` takes it away: 404',
    }),
    account: Type.Boolean({
      default: true,
      description: 'The account page, `/account`, to which `/` sends browsers; `false` takes it away: 404',
    }),
    console: Type.Boolean({
      default: true,
      description: 'The console for administrators, `/console`; `false` takes it away: 404. The requests it uses stay',
    }),
  },
  {
    additionalProperties: false,
    default: {},
    description:
      'Pages for people. In an app around the service they are off unless it says `pages: true`: embedding.md.',
  },
)
