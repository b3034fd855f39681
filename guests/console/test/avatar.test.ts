import { readdirSync } from 'node:fs'
import { loadImage } from '@napi-rs/canvas'
import { test } from 'tap'
import { expectProblem, expectSuccess } from '../../../test/helpers/service/expect.js'
import { startServer, type TestServer } from '../../../test/helpers/service/server.js'
import { formOf } from '../../../test/helpers/service/upload.js'
import { signInAs } from '../../../test/helpers/service/users.js'
import { createFrontEnd } from './front-end.js'
import { emptyPng, gif, jpeg, png, pngThatClaims, progressiveJpeg, svg, webp, webpThatClaims } from './pictures.js'

type File = Parameters<typeof formOf>[0]

const path = '/api/file/upload'
const upload = (server: TestServer, token: string, ...files: File[]) => {
  const { raw, headers } = formOf(...files)
  return server.call('POST', path, { token, raw, headers, query: 'businessType=avatar' })
}
const picture = (content: Buffer): File => ({ filename: 'avatar.png', content })

test('a picture is scaled to at most 256 pixels and 60,000 characters, and nothing is stored', async (t) => {
  const server = await startServer(t)
  const { id } = await server.addUser('alice')
  const { accessToken: token } = await server.signIn('alice')
  const before = readdirSync(server.directory).sort()
  const rows: [sentence: string, content: Buffer, width: number, height: number][] = [
    ['a PNG of 512 x 512', png(512, 512), 256, 256],
    ['a JPEG that is wide', jpeg(800, 400), 256, 128],
    ['a WebP that is high', webp(300, 600), 128, 256],
    ['a picture of one pixel, which stays as it is', png(1, 1), 1, 1],
    ['a line', png(4000, 2), 256, 1],
    ['a progressive JPEG of two scans', progressiveJpeg(2), 8, 8],
    ['a progressive JPEG of ten scans', progressiveJpeg(10), 8, 8],
    ['a picture of 4,096 x 4,096', png(4096, 4096), 256, 256],
  ]
  for (const [sentence, content, width, height] of rows) {
    const { fileId } = expectSuccess(t, await upload(server, token, picture(content))) as { fileId: string }
    t.match(fileId, /^data:image\/png;base64,/, sentence)
    t.ok(fileId.length <= 60_000, `${sentence}: ${fileId.length} characters`)
    const shown = await loadImage(fileId)
    t.same([shown.width, shown.height], [width, height], sentence)
  }
  const noise = expectSuccess(t, await upload(server, token, picture(png(512, 512, true)))) as { fileId: string }
  t.ok(noise.fileId.length <= 60_000, 'what cannot be made small has fewer pixels')
  t.ok((await loadImage(noise.fileId)).width >= 32)
  t.same(readdirSync(server.directory).sort(), before, 'no file is kept')
  t.equal((await server.app.db.users.find(id))?.avatar, null, 'and nothing is saved')

  const form = { username: 'alice', realName: 'Alice', phone: '', email: '', avatar: noise.fileId }
  expectSuccess(t, await createFrontEnd(server, token).json('/system/user/updateProfile', form))
  t.equal((await server.app.db.users.find(id))?.avatar, noise.fileId)
  t.equal(expectSuccess(t, await server.call('GET', '/auth/userInfo', { token })).avatar, noise.fileId)
})

test('what is no small picture is refused with a sentence and without much work', { timeout: 120_000 }, async (t) => {
  const server = await startServer(t)
  const token = await signInAs(server, 'alice')
  const noPicture = /^The file must be a PNG, JPEG or WebP picture$/
  const rows: [sentence: string, content: Buffer, message: RegExp][] = [
    ['a GIF', gif, noPicture],
    ['an SVG', svg, noPicture],
    ['a text', Buffer.from('hello'), noPicture],
    ['an empty file', Buffer.alloc(0), noPicture],
    ['the beginning of a PNG', png(512, 512, true).subarray(0, 5000), noPicture],
    ['the first bytes of a PNG', png(16, 16).subarray(0, 20), noPicture],
    ['a PNG without a header', emptyPng, noPicture],
    ['the beginning of a JPEG', jpeg(512, 512).subarray(0, 2000), noPicture],
    ['the first bytes of a JPEG', jpeg(16, 16).subarray(0, 20), noPicture],
    ['the beginning of a WebP', webp(512, 512).subarray(0, 200), noPicture],
    ['a PNG that claims 30,000 x 30,000 pixels', pngThatClaims(30_000, 30_000), /^The file must have at most 4096/],
    ['a PNG that claims no pixels', pngThatClaims(0, 0), noPicture],
    ['a WebP that is larger than it claims', webpThatClaims(), noPicture],
    ['a JPEG of forty scans, which the library would still decode', progressiveJpeg(40), noPicture],
    ['a JPEG of a hundred scans', progressiveJpeg(100), noPicture],
  ]
  for (const [sentence, content, message] of rows) {
    const from = performance.now()
    const answer = await upload(server, token, picture(content))
    t.comment(sentence)
    expectProblem(t, answer, 'invalid_request', ['file'])
    t.match(answer.body.message, message, sentence)
    t.ok(performance.now() - from < 10_000, `${sentence}: in bounded time`)
  }
  expectProblem(t, await upload(server, token, picture(Buffer.alloc(5 * 2 ** 20))), 'payload_too_large')
  const two = await upload(server, token, picture(png(9, 9)), picture(png(9, 9)))
  expectProblem(t, two, 'invalid_request', ['file'])
  expectProblem(t, await upload(server, token), 'invalid_request', ['file'])
  expectProblem(t, await upload(server, token, { name: 'other', content: png(9, 9) }), 'invalid_request', ['file'])
  const chinese = await server.call('POST', path, {
    token,
    ...formOf(picture(gif)),
    headers: { ...formOf(picture(gif)).headers, 'accept-language': 'zh-CN' },
  })
  t.equal(chinese.body.message, '文件必须是 PNG、JPEG 或 WebP 图片')
  expectProblem(t, await server.call('POST', path, { token, json: {} }), 'unsupported_media_type')
  expectProblem(t, await server.call('POST', path, formOf(picture(png(9, 9)))), 'token_missing')
  expectSuccess(t, await upload(server, token, picture(png(9, 9))))
})

test('many pictures at once are scaled one after the other, or refused for a moment', async (t) => {
  const server = await startServer(t)
  const token = await signInAs(server, 'alice')
  const content = png(1024, 1024)
  const answers = await Promise.all(Array.from({ length: 20 }, () => upload(server, token, picture(content))))
  const statuses = answers.map(({ status }) => status)
  t.ok(statuses.includes(200))
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expectProblem(t, answer, 'too_many_requests')
    t.ok(answer.headers.get('retry-after'))
  }
  expectSuccess(t, await upload(server, token, picture(content)))
})
