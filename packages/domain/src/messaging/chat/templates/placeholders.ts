const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/gu

/** The names of the placeholders of a text, in their order, each once. */
export const placeholdersIn = (text: string): ReadonlyArray<string> => [
  ...new Set(Array.from(text.matchAll(placeholder), ([, name = ""]) => name))
]

/** The text with its placeholders filled in; those without a value stay. */
export const filledIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(placeholder, (whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? whole) : whole))

/** Whether a placeholder is counted, as in `{{1}}`, and not named. */
export const isNumbered = (name: string): boolean => /^[1-9]\d?$/u.test(name)

/** Whether a placeholder is named, as in `{{first_name}}`. */
export const isNamed = (name: string): boolean => /^[a-z][a-z0-9_]{0,59}$/u.test(name)
