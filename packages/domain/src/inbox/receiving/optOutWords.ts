/** Words by which somebody wants no more marketing, when they are all that is written. */
const words: ReadonlySet<string> = new Set([
  "STOP",
  "STOPALL",
  "UNSUBSCRIBE",
  "ARRET",
  "BAJA",
  "PARAR",
  "SAIR",
  "STOPP",
  "ABMELDEN"
])

/** Whether this message is a word that opts out: accents, capitals and marks round it do not matter, other words do. */
export const optsOut = (text: string | null): boolean =>
  text !== null &&
  text.length <= 40 &&
  words.has(
    text
      .normalize("NFD")
      .replaceAll(/[\p{M}\s\p{P}]+/gu, "")
      .toUpperCase()
  )
