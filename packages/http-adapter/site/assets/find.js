/**
 * @typedef {object} Entry
 * @property {"guide" | "operation" | "part" | "error"} kind
 * @property {string} href
 * @property {string} title
 * @property {string} detail
 * @property {string} [method]
 * @property {string} [feature]
 * @property {string} keys names and terms of the entry
 * @property {string} text
 * @property {string} [within] text of the page that contains the entry: words of that alone do not find it
 * @typedef {{ entry: Entry, title: ReadonlyArray<string>, keys: ReadonlySet<string>, text: ReadonlyMap<string, number>, length: number, within: ReadonlySet<string> }} Indexed
 * @typedef {{ entries: ReadonlyArray<Indexed>, vocabulary: ReadonlyArray<string> }} Index
 */

const ignored = new Set(
  "a an and are as at be by do does for from how i in into is it my of on or that the they this to what with".split(" ")
)

/**
 * Words of a text in lower case: `replyToId` is a word, and so are its parts.
 *
 * @param {string} text
 * @returns {ReadonlyArray<string>}
 */
const wordsOf = (text) =>
  (text.replaceAll(/\be-mail/gi, "email").match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) => {
    const parts = word.split(/_|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).filter((part) => part !== "")
    return [word, ...(parts.length > 1 ? parts : [])].map((part) => part.toLowerCase())
  })

/** @param {ReadonlyArray<string>} words */
const counted = (words) => {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/**
 * Prepares entries for the search.
 *
 * @param {ReadonlyArray<Entry>} entries
 * @returns {Index}
 */
export const indexOf = (entries) => {
  const indexed = entries.map((entry) => {
    const text = wordsOf(entry.text)
    return {
      entry,
      title: wordsOf(entry.title),
      keys: new Set(wordsOf(entry.keys)),
      text: counted(text),
      length: text.length,
      within: new Set(wordsOf(entry.within ?? ""))
    }
  })
  const vocabulary = new Set(indexed.flatMap(({ keys, text, title }) => [...title, ...keys, ...text.keys()]))
  return { entries: indexed, vocabulary: [...vocabulary] }
}

/**
 * Number of typed letters that separate two words; a swap of neighbours is one. Stops above the limit.
 *
 * @param {string} one
 * @param {string} other
 * @param {number} limit
 */
export const distanceOf = (one, other, limit) => {
  if (Math.abs(one.length - other.length) > limit) return limit + 1
  /** @type {ReadonlyArray<number>} */
  let before = []
  let last = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (before[column - 2] ?? 0) + 1 : Infinity
        )
      )
    }
    if (Math.min(...next) > limit) return limit + 1
    before = last
    last = next
  }
  return last[other.length] ?? 0
}

/** Accepted typos in a word. @param {string} word */
const typosIn = (word) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2)

/**
 * Words of the index that a typed word can mean, with the quality of the match. Typos count only if no word starts with the typed one.
 *
 * @param {string} typed
 * @param {ReadonlyArray<string>} vocabulary
 * @returns {ReadonlyMap<string, number>}
 */
const meaningsOf = (typed, vocabulary) => {
  const started = vocabulary.filter((word) => word.startsWith(typed))
  if (started.length > 0) return new Map(started.map((word) => [word, word === typed ? 1 : 0.8]))
  const limit = typosIn(typed)
  return new Map(
    vocabulary.flatMap((word) => {
      if (limit === 0) return []
      if (distanceOf(typed, word, limit) <= limit) return [[word, 0.6]]
      const starts = [typed.length, typed.length + 1].filter((length) => word.length > length)
      const isStart = starts.some((length) => distanceOf(typed, word.slice(0, length), limit) <= limit)
      return isStart && word[0] === typed[0] ? [[word, 0.4]] : []
    })
  )
}

/** @param {Iterable<string>} words @param {ReadonlyMap<string, number>} meanings */
const best = (words, meanings) => {
  let quality = 0
  for (const word of words) quality = Math.max(quality, meanings.get(word) ?? 0)
  return quality
}

/** Weight of a name: guides, then operations, then fields and errors. @type {Record<Entry["kind"], { title: number, keys: number }>} */
const weights = {
  guide: { title: 12, keys: 9 },
  operation: { title: 10, keys: 6 },
  part: { title: 0, keys: 3 },
  error: { title: 5, keys: 3 }
}

/** @param {Indexed} indexed @param {ReadonlyMap<string, number>} meanings */
const scoreOfText = ({ length, text }, meanings) => {
  let found = 0
  let quality = 0
  for (const [word, own] of meanings) {
    const count = text.get(word)
    if (count === undefined) continue
    found += count
    quality = Math.max(quality, own)
  }
  return quality * (1 + found / (found + 1 + length / 200))
}

/** @param {Indexed} indexed @param {ReadonlyArray<ReadonlyMap<string, number>>} query */
const scoreOf = (indexed, query) => {
  const { entry, keys, title, within } = indexed
  const weight = weights[entry.kind]
  let score = 0
  let isOwn = false
  for (const meanings of query) {
    // A short title is about its word.
    const named = best(title, meanings) * weight.title * (0.6 + 0.4 / Math.max(1, title.length))
    const own = Math.max(named, best(keys, meanings) * weight.keys, scoreOfText(indexed, meanings))
    const outer = best(within, meanings)
    if (own === 0 && outer === 0) return 0
    isOwn ||= own > 0
    score += Math.max(own, outer)
  }
  return isOwn ? score : 0
}

/** The exact phrase counts more in a section than in its page. @param {Entry} entry @param {string} phrase */
const scoreOfPhrase = ({ text, within }, phrase) => {
  if (!phrase.includes(" ") || !text.toLowerCase().includes(phrase)) return 0
  return within === undefined ? 3 : 4
}

/**
 * Entries for a query, best first.
 *
 * @param {Index} index
 * @param {string} typed
 * @param {number} [most]
 * @returns {ReadonlyArray<Entry>}
 */
export const find = ({ entries, vocabulary }, typed, most = 24) => {
  const phrase = typed.trim().toLowerCase()
  const words = [
    ...new Set(
      (typed.replaceAll(/\be-mail/gi, "email").match(/[\p{L}\p{N}_]+/gu) ?? []).map((word) => word.toLowerCase())
    )
  ]
  const telling = words.filter((word) => !ignored.has(word))
  const query = (telling.length === 0 ? words : telling).map((word) => meaningsOf(word, vocabulary))
  if (query.length === 0)
    return entries.flatMap(({ entry }) => (entry.kind === "guide" && entry.within === undefined ? [entry] : []))
  return entries
    .map((indexed) => ({ indexed, score: scoreOf(indexed, query) }))
    .filter(({ score }) => score > 0)
    .map(({ indexed: { entry }, score }) => ({ entry, score: score + scoreOfPhrase(entry, phrase) }))
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ entry }) => entry)
}
