// A program: serves like `server.js` and tells its parent how long one turn held the event loop between two messages. In a
// process of its own, because the test runner hooks into every promise of its processes.
import { start } from '../../../cli/serve.js'
import { watchEventLoop } from '../load/event-loop.js'

let end: (() => number) | undefined
process.on('message', () => {
  const held = end?.()
  end = end ? undefined : watchEventLoop()
  process.send?.({ held })
})
await start(process.env)
