/** Bounds of a password, in code points. An installation can raise the minimum to 64. */
export const passwordLength = { min: 8, max: 256 }

/** Maximum length of a suffix of digits and signs. With such a suffix, a common password stays common. */
const maxSuffixLength = 4

const suffixPattern = /[\p{N}\p{P}\p{S}]$/u

/** Returns the password for comparison. Compatible characters are equal; invisible characters and outer spaces are ignored. */
const normalizePassword = (password: string): string =>
  password
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}+/gu, "")
    .trim()
    .toLowerCase()

/** Spellings for the lookup among common passwords: as typed, in lower case, without a short suffix, and the unit of a repetition. */
export const commonSpellings = (password: string): ReadonlyArray<string> => {
  const spellings = new Set<string>()
  const plain = normalizePassword(password)
  // A shorter rest is not the password, because outer spaces count.
  const rests = plain.length < passwordLength.min ? [] : [plain, repeatedUnit(Array.from(plain))]
  for (const written of [password, password.toLowerCase(), ...rests]) {
    let rest = written
    spellings.add(rest)
    for (let cut = 0; cut < maxSuffixLength && suffixPattern.test(rest); cut++) {
      rest = rest.replace(suffixPattern, "")
      spellings.add(rest)
    }
  }
  return Array.from(spellings).filter((spelling) => spelling !== "")
}

const keyboardRows = [
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
  return Array.from(unit).length === 1 || keyboardRows.some((row) => row.includes(unit))
}

/** People, organizations and service of a password. */
export interface PasswordContext {
  readonly hosts: ReadonlyArray<string>
  readonly organizations: ReadonlyArray<{ readonly name: string; readonly slug: string }>
  readonly name: string | null
  readonly email: string
}

const productName = "parley"

/** Shorter words cannot be half of a password. */
const minWordLength = 3

const toLetters = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "")

const splitWords = (text: string) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]

/** A host and its labels, without the top-level domain. */
const hostWords = (host: string) => [host, ...host.split(".").slice(0, -1)]

const contextWords = ({ email, hosts, name, organizations }: PasswordContext): ReadonlyArray<string> => {
  const [local = "", domain = ""] = email.split("@")
  const words = [
    productName,
    ...hosts.flatMap(hostWords),
    ...organizations.flatMap((each) => [...splitWords(each.name), ...splitWords(each.slug)]),
    ...(name === null ? [] : splitWords(name)),
    email,
    ...splitWords(local),
    ...hostWords(domain)
  ]
  const written = words.map((word) => word.toLowerCase())
  return Array.from(new Set([...written, ...written.map(toLetters)])).filter((word) => word.length >= minWordLength)
}

const isHalfOf = (text: string, word: string) => (text.split(word).length - 1) * word.length * 2 >= text.length

/** Whether a context word is half of the password or more. */
export const isMostlyContext = (password: string, context: PasswordContext): boolean => {
  const written = normalizePassword(password)
  const letters = toLetters(written)
  return contextWords(context).some((word) => isHalfOf(written, word) || (letters !== "" && isHalfOf(letters, word)))
}
