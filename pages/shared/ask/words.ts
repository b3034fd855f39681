import type { QuestionWords } from '../../words/en/questions.js'

/** The words of the questions, in the language of the page. */
export let questions: QuestionWords

/** Called once, before anything is asked. */
export const setQuestionWords = (table: QuestionWords): void => void (questions = table)
