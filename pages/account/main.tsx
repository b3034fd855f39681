import '../shared/style/index.css'
import '../shared/style/theme.js'
import { begin } from '../shared/shell/begin.js'
import { App } from './app.js'
import { loadWords } from './words.js'

await begin(loadWords, (config, me) => <App config={config} me={me} />)
