import type { FastifyPluginAsync } from 'fastify'
import { callerOf } from '../../../lib/caller-of.js'
import { ref } from '../../../schemas/ref.js'
import { CompatUploadedPicture } from '../schemas/self.js'
import { createAdd } from '../rows.js'

const route: FastifyPluginAsync = async (app) => {
  const add = createAdd(app)

  add('POST /api/file/upload', {
    operationId: 'compatUploadPicture',
    config: {
      access: 'session',
      errors: ['too_many_requests', 'unavailable'],
      upload: ['multipart/form-data'],
    },
    summary: 'Scale a picture to an avatar',
    description:
      'The field `file` of a form is a PNG, JPEG or WebP picture of at most 4 MiB and 16,777,216 pixels (a WebP without loss: 262,144). The answer is a picture of at most 256 pixels and 60,000 characters, to be sent as `avatar` of `POST /system/user/updateProfile`. No file is stored.',
    answer: ref(CompatUploadedPicture),
    handler: async (request) => ({ fileId: await app.compat.avatars.upload(callerOf(request), request.raw) }),
  })
}

export default route
