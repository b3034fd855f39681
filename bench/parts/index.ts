import type { Part } from '../part.js'
import { captcha } from './captcha.js'
import { changes } from './changes.js'
import { forward } from './forward.js'
import { latency } from './latency.js'
import { listPages } from './list-pages.js'
import { listQueries } from './list-queries.js'
import { login } from './login.js'
import { memory, memoryAtEnd } from './memory.js'
import { refresh } from './refresh.js'
import { requests } from './requests.js'
import { searches } from './searches.js'
import { secondStep } from './second-step.js'
import { freshStarts } from './starts.js'
import { singleSignOn } from './single-sign-on.js'
import { start } from './start.js'
import { userInfo } from './user-info.js'

/** In the order in which they run. */
export const parts: Record<string, Part> = {
  start,
  freshStarts,
  userInfo,
  listPages,
  changes,
  listQueries,
  searches,
  memory,
  login,
  secondStep,
  singleSignOn,
  forward,
  latency,
  refresh,
  captcha,
  requests,
  memoryAtEnd,
}
