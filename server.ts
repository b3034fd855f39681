// The service as a process. What it runs is loaded after the check: an older Node.js could not even read it.
import { isNodeSupported } from './lib/node-version.js'

if (isNodeSupported()) void import('./cli/serve.js').then(({ serve }) => serve(process.env))
