/** The words of a simple command, as a POSIX shell splits them. Variables and substitutions are left as they stand. */
export const shellWords = (command: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  let word: string | null = null
  for (const [token] of command.matchAll(/\\\n|\\.|'[^']*'|"(?:[^"\\]|\\.)*"|\s+|[^\s\\'"]+|['"]/gs)) {
    if (token === "\\\n") continue
    if (/^\s/.test(token)) {
      if (word !== null) words.push(word)
      word = null
    } else if (token === "'" || token === '"') {
      throw new Error(`A quote is not closed in ${command}`)
    } else if (token.startsWith("'")) {
      word = (word ?? "") + token.slice(1, -1)
    } else if (token.startsWith('"')) {
      word = (word ?? "") + token.slice(1, -1).replaceAll(/\\([$`"\\\n])/g, "$1")
    } else {
      word = (word ?? "") + (token.startsWith("\\") ? token.slice(1) : token)
    }
  }
  return word === null ? words : [...words, word]
}
