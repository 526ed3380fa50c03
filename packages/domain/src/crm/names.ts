/** A name without its case: what two names that count as one share. It also sorts names. */
export const foldName = (name: string): string => name.normalize("NFC").toLowerCase()
