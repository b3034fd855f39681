import { frame } from '../language/frame-words.js'

interface PageStepsProps {
  page: number
  last: number
  onPage: (page: number) => void
}

/** The way to the page before and the next one. The buttons stay where there is none, so that the focus does. */
export const PageSteps = ({ page, last, onPage }: PageStepsProps) => (
  <nav class="pager" aria-label={frame.pages}>
    <button type="button" aria-disabled={page === 1} onClick={() => onPage(Math.max(1, page - 1))}>
      {frame.previous}
    </button>
    <span class="num">{frame.pageOf(page, last)}</span>
    <button type="button" aria-disabled={page === last} onClick={() => onPage(Math.min(last, page + 1))}>
      {frame.next}
    </button>
  </nav>
)
