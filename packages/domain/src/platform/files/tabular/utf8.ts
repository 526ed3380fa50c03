// Every platform has these two, but the library of the language itself does not declare them.
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly fatal: true; readonly ignoreBOM: true }
) => { readonly decode: (bytes: Uint8Array) => string }
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }

// A byte order mark within a file is text like any other.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** The text, or `null` when the bytes are not UTF-8. */
export const decoded = (bytes: Uint8Array): string | null => {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** The text as UTF-8. */
export const encoded = (text: string): Uint8Array => encoder.encode(text)
