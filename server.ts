// The service as a process. It is loaded after the check, because an older Node.js cannot parse it.
import { isNodeSupported } from './lib/node-version.js'

if (isNodeSupported()) void import('./cli/serve.js').then(({ serve }) => serve(process.env))
