import type { Operations } from '../../../client/index.js'
import { clockTime } from '../../shared/language/language.js'
import { words } from '../words.js'

type Hours = NonNullable<Operations['GET /system/overview']['data']['hours']>

/** Units of the picture: a bar and the gap beside it, and the highest bar. */
const step = 10
const width = 6
const height = 64

/** Sign-ins by hour, a bar each. Refusals stand on top, in another form than color only: a frame. */
export const Bars = ({ hours }: { hours: Hours }) => {
  const most = Math.max(1, ...hours.map(({ signIns, refusals }) => signIns + refusals))
  const toHeight = (count: number) => (count === 0 ? 0 : Math.max(1, Math.round((count / most) * (height - 2))))
  const busiest = hours.reduce(
    (best, hour) => (hour.signIns > best.signIns ? hour : best),
    hours[0] ?? { signIns: 0, start: 0 },
  )
  const label =
    busiest.signIns === 0
      ? words.overview.noSignIns
      : words.overview.busiest(clockTime(new Date(busiest.start)), busiest.signIns)
  return (
    <figure class="stack tight">
      <svg
        class="bars"
        viewBox={`0 0 ${hours.length * step} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {hours.map(({ start, signIns, refusals }, at) => {
          const [filled, framed] = [toHeight(signIns), toHeight(refusals)]
          return (
            <g key={start}>
              <title>{words.overview.hour(clockTime(new Date(start)), signIns, refusals)}</title>
              <rect x={at * step} y={height - filled} width={width} height={filled} />
              <rect class="refused" x={at * step} y={height - filled - framed} width={width} height={framed} />
            </g>
          )
        })}
      </svg>
      <figcaption class="hint">{label}</figcaption>
    </figure>
  )
}
