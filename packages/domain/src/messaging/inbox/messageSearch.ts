import { Schema } from "effect"
import { normalizeForSearch, objectShownWith } from "../../kernel/index.ts"
import { sharedNumber } from "../chat/index.ts"
import { ConversationContact } from "./Conversation.ts"
import { ConversationId, Message } from "./Message.ts"

/** Maximum number of terms that a search uses. */
const maxWords = 5

/** Runs of scripts without spaces. Their terms are found at any position, by pairs of characters. */
const cjkRuns = /([\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+)/u

/** Returns each pair of adjacent characters, and the last character, which may start a pair. */
const toBigrams = (run: string): ReadonlyArray<string> => {
  const characters = Array.from(run)
  return characters.map((character, place) => character + (characters[place + 1] ?? ""))
}

/** Returns the folded terms of a text. Scripts without spaces yield pairs of characters. */
export const searchTokens = (text: string): ReadonlyArray<string> =>
  normalizeForSearch(text)
    .normalize("NFC")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .flatMap((word) => word.split(cjkRuns).flatMap((part, place) => (place % 2 === 1 ? toBigrams(part) : [part])))
    .filter((word) => word !== "")

/** Searchable parts of a message. */
export type SearchableParts = Pick<Message, "contacts" | "location" | "order" | "referral" | "text">

/** Returns the text of all searchable parts of a message. */
export const searchableText = ({ contacts, location, order, referral, text }: SearchableParts): string =>
  [
    text,
    ...(contacts ?? []).flatMap(({ name, phones }) => [name, ...phones.map(sharedNumber)]),
    location?.name,
    location?.address,
    ...(order?.items ?? []).map(({ productId }) => productId),
    referral?.headline,
    referral?.body
  ]
    .filter((part) => part !== null && part !== undefined)
    .join("\n")

/** Returns the search terms of the typed text; `null` if it contains none. */
export const querySearchTokens = (typed: string): ReadonlyArray<string> | null => {
  const words = [...new Set(searchTokens(typed))].slice(0, maxWords)
  return words.length === 0 ? null : words
}

/** Match in a snippet, in UTF-16 code units; `end` is exclusive. */
export const SnippetMatch = Schema.Struct({ start: Schema.Int, end: Schema.Int }).annotate({
  identifier: "SnippetMatch"
})

/** Excerpt of a message on one line around the first match. It is plain text. */
export const Snippet = Schema.Struct({
  text: Schema.String,
  matches: Schema.Array(SnippetMatch)
}).annotate({ identifier: "Snippet", ...objectShownWith("conversations.read") })
export type Snippet = typeof Snippet.Type

/** Message found by a search, with its contact. */
export class FoundMessage extends Schema.Class<FoundMessage>("FoundMessage")({
  message: Message,
  snippet: Snippet,
  conversation: Schema.Struct({ id: ConversationId, contact: ConversationContact })
}) {}

/** Maximum length of a snippet. */
const maxSnippetLength = 160

/** Maximum length before the first match. */
const leadingContext = 40

interface Range {
  readonly start: number
  readonly end: number
}

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu
const cjkSegments =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+|[^\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]+/gu
const cjkStart = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u

/** Returns the ranges of single characters or pairs that equal one of the terms. */
const findBigramRanges = (run: string, offset: number, words: ReadonlyArray<string>): ReadonlyArray<Range> => {
  let at = offset
  const characters = Array.from(run, (character) => {
    const start = at
    at += character.length
    return { folded: normalizeForSearch(character).normalize("NFC"), start, end: at }
  })
  return characters.flatMap((one, place) => {
    const other = characters[place + 1]
    if (words.includes(one.folded)) return [{ start: one.start, end: one.end }]
    return other !== undefined && words.includes(one.folded + other.folded)
      ? [{ start: one.start, end: other.end }]
      : []
  })
}

/** Merges adjacent and overlapping ranges. */
const mergeRanges = (ranges: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const all: Array<Range> = []
  for (const next of ranges) {
    const last = all.at(-1)
    if (last === undefined || next.start > last.end) all.push(next)
    else all.splice(-1, 1, { start: last.start, end: Math.max(last.end, next.end) })
  }
  return all
}

const findMatches = (text: string, words: ReadonlyArray<string>): ReadonlyArray<Range> =>
  mergeRanges(
    Array.from(text.matchAll(wordPattern)).flatMap((piece) =>
      Array.from(piece[0].matchAll(cjkSegments)).flatMap((run) => {
        const [part] = run
        const start = piece.index + run.index
        if (cjkStart.test(part)) return findBigramRanges(part, start, words)
        const isMet = searchTokens(part).some((input) => words.some((word) => input.startsWith(word)))
        return isMet ? [{ start, end: start + part.length }] : []
      })
    )
  )

const isInsideSurrogatePair = (text: string, at: number) => /^[\u{dc00}-\u{dfff}]/u.test(text.slice(at, at + 1))

/** Builds the excerpt of a text around the first match of these terms, with all matches in it. */
export const buildSnippet = (value: string, words: ReadonlyArray<string>): Snippet => {
  const text = value.replaceAll(/[\s\p{Cc}]/gu, " ")
  const matches = findMatches(text, words)
  let from = Math.max(0, Math.min((matches[0]?.start ?? 0) - leadingContext, text.length - maxSnippetLength))
  if (isInsideSurrogatePair(text, from)) from += 1
  let to = Math.min(text.length, from + maxSnippetLength)
  if (isInsideSurrogatePair(text, to)) to -= 1
  return {
    text: text.slice(from, to),
    matches: matches
      .filter(({ start, end }) => start < to && end > from)
      .map(({ end, start }) => ({ start: Math.max(start, from) - from, end: Math.min(end, to) - from }))
  }
}
