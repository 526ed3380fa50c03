import { foldText } from "../../kernel/index.ts"
import type { Snippet } from "./FoundMessage.ts"
import { wordsIn } from "./words.ts"

/** How long a snippet is at most. */
const most = 160

/** How much of it comes before the first match. */
const before = 40

interface Range {
  readonly start: number
  readonly end: number
}

const pieces = /[\p{L}\p{M}\p{N}]+/gu
const runs =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+/gu
const ofRun = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u

/** Where pairs of characters are that begin with one of the words. */
const inRun = (run: string, offset: number, words: ReadonlyArray<string>): ReadonlyArray<Range> => {
  let at = offset
  const characters = Array.from(run, (character) => {
    const start = at
    at += character.length
    return { folded: foldText(character).normalize("NFC"), start, end: at }
  })
  return characters.flatMap((one, place) => {
    const other = characters[place + 1]
    if (words.includes(one.folded)) return [{ start: one.start, end: one.end }]
    return other !== undefined && words.includes(one.folded + other.folded)
      ? [{ start: one.start, end: other.end }]
      : []
  })
}

/** Those that touch are one. */
const joined = (ranges: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const all: Array<Range> = []
  for (const next of ranges) {
    const last = all.at(-1)
    if (last === undefined || next.start > last.end) all.push(next)
    else all.splice(-1, 1, { start: last.start, end: Math.max(last.end, next.end) })
  }
  return all
}

const matchesIn = (text: string, words: ReadonlyArray<string>): ReadonlyArray<Range> =>
  joined(
    Array.from(text.matchAll(pieces)).flatMap((piece) =>
      Array.from(piece[0].matchAll(runs)).flatMap((run) => {
        const [part] = run
        const start = piece.index + run.index
        if (ofRun.test(part)) return inRun(part, start, words)
        const isMet = wordsIn(part).some((said) => words.some((word) => said.startsWith(word)))
        return isMet ? [{ start, end: start + part.length }] : []
      })
    )
  )

const isInside = (text: string, at: number) => /^[\u{dc00}-\u{dfff}]/u.test(text.slice(at, at + 1))

/** The part of a text in which the first of these words is, and where it has them. */
export const snippetOf = (said: string, words: ReadonlyArray<string>): Snippet => {
  const text = said.replaceAll(/[\s\p{Cc}]/gu, " ")
  const matches = matchesIn(text, words)
  let from = Math.max(0, Math.min((matches[0]?.start ?? 0) - before, text.length - most))
  if (isInside(text, from)) from += 1
  let to = Math.min(text.length, from + most)
  if (isInside(text, to)) to -= 1
  return {
    text: text.slice(from, to),
    matches: matches
      .filter(({ start, end }) => start < to && end > from)
      .map(({ end, start }) => ({ start: Math.max(start, from) - from, end: Math.min(end, to) - from }))
  }
}
