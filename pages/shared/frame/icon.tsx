const paths = {
  alert: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 5v3.5M8 11h.01',
  tick: 'm3 8.5 3.5 3.5L13 5',
  cross: 'm4.5 4.5 7 7m0-7-7 7',
  ring: 'M8 13A5 5 0 1 0 8 3a5 5 0 0 0 0 10',
  key: 'M5 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6M8 8h6v2.5M11.5 8v2',
  mail: 'M2 4h12v8.5H2zM2 4.5l6 5 6-5',
  phone: 'M5 1.5h6v13H5zM7.5 12.5h1',
  menu: 'M2 4.5h12M2 8h12M2 11.5h12',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10M10.6 10.6 14 14',
  down: 'm4.5 6.5 3.5 3.5 3.5-3.5',
  up: 'm4.5 9.5 3.5-3.5 3.5 3.5',
  right: 'm6.5 4.5 3.5 3.5-3.5 3.5',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
} as const

/** A picture beside a word; screen readers pass it by. */
export const Icon = ({ name }: { name: keyof typeof paths }) => (
  <svg class="i" viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
