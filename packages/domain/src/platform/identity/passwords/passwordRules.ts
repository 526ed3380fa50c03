/** Bounds of a password, in code points. An installation can raise the minimum to 64. */
export const passwordLength = { min: 8, max: 256 }

/** Maximum length of a suffix of digits and signs. With such a suffix, a common password stays common. */
const maxSuffix = 4

const suffixCharacter = /[\p{N}\p{P}\p{S}]$/u

/** The password for comparison: compatible characters are equal, invisible ones and outer spaces do not count. */
const comparable = (password: string): string =>
  password
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, "")
    .trim()
    .toLowerCase()

/** Spellings to look up among common passwords: as typed, in lower case, without a short suffix, and once if the password repeats a word. */
export const commonSpellings = (password: string): ReadonlyArray<string> => {
  const spellings = new Set<string>()
  const plain = comparable(password)
  // A shorter rest is not the password: outer spaces count, too.
  const rests = plain.length < passwordLength.min ? [] : [plain, repeatedUnit(Array.from(plain))]
  for (const written of [password, password.toLowerCase(), ...rests]) {
    let rest = written
    spellings.add(rest)
    for (let cut = 0; cut < maxSuffix && suffixCharacter.test(rest); cut++) {
      rest = rest.replace(suffixCharacter, "")
      spellings.add(rest)
    }
  }
  return Array.from(spellings).filter((spelling) => spelling !== "")
}

const rows = [
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "qwertzuiop",
  "yxcvbnm",
  "azertyuiop",
  "qsdfghjklm",
  "wxcvbn",
  "1234567890",
  "!@#$%^&*()",
  "abcdefghijklmnopqrstuvwxyz"
].flatMap((row) => {
  const back = Array.from(row).toReversed().join("")
  return [row + row, back + back]
})

/** Shortest text whose repetition gives the password. The last repetition can be truncated. */
const repeatedUnit = (characters: ReadonlyArray<string>): string => {
  const period = characters.findIndex(
    (_, length) =>
      length > 0 && characters.every((each, place) => place < length || each === characters[place - length])
  )
  return characters.slice(0, period === -1 ? characters.length : period).join("")
}

/** Whether the password repeats one character or a part of a keyboard row. */
export const isRepetition = (password: string): boolean => {
  const characters = Array.from(password.normalize("NFKC").toLowerCase())
  const unit = repeatedUnit(characters)
  return Array.from(unit).length === 1 || rows.some((row) => row.includes(unit))
}

/** People, organizations and service of a password. */
export interface PasswordContext {
  readonly hosts: ReadonlyArray<string>
  readonly organizations: ReadonlyArray<{ readonly name: string; readonly slug: string }>
  readonly name: string | null
  readonly email: string
}

const product = "parley"

/** Shorter words cannot be half of a password. */
const minWord = 3

const lettersOf = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "")

const wordsOf = (text: string) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]

/** A host and its labels, without the top-level domain. */
const hostWords = (host: string) => [host, ...host.split(".").slice(0, -1)]

const contextWords = ({ email, hosts, name, organizations }: PasswordContext): ReadonlyArray<string> => {
  const [local = "", domain = ""] = email.split("@")
  const words = [
    product,
    ...hosts.flatMap(hostWords),
    ...organizations.flatMap((each) => [...wordsOf(each.name), ...wordsOf(each.slug)]),
    ...(name === null ? [] : wordsOf(name)),
    email,
    ...wordsOf(local),
    ...hostWords(domain)
  ]
  const written = words.map((word) => word.toLowerCase())
  return Array.from(new Set([...written, ...written.map(lettersOf)])).filter((word) => word.length >= minWord)
}

const isHalf = (text: string, word: string) => (text.split(word).length - 1) * word.length * 2 >= text.length

/** Whether a context word is half of the password or more. */
export const isMostlyContext = (password: string, context: PasswordContext): boolean => {
  const written = comparable(password)
  const letters = lettersOf(written)
  return contextWords(context).some((word) => isHalf(written, word) || (letters !== "" && isHalf(letters, word)))
}
