/** A language as the provider writes it. */
export const languageOut = (locale: string): string => locale.replaceAll("-", "_")

/** A language as it is written here. */
export const languageIn = (code: string): string => code.replaceAll("_", "-")
