const unfolded = (head: string) => head.replaceAll(/\r\n[ \t]+/gu, " ")

/** The headers of a mail or a part, by their names in lower case. */
export const headersOf = (head: string): ReadonlyMap<string, string> =>
  new Map(
    unfolded(head)
      .split("\r\n")
      .map((line) => {
        const colon = line.indexOf(":")
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
      })
  )

const bytesOfQuoted = (text: string) =>
  Buffer.from(
    text
      .replaceAll(/=\r\n/gu, "")
      .replaceAll(/=([0-9A-F]{2})/gu, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16))),
    "latin1"
  )

const bodyOf = (encoding: string | undefined, body: string) => {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8")
  return encoding === "quoted-printable" ? bytesOfQuoted(body).toString("utf8") : body
}

/** Decoded text of a header. */
export const wordsOf = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/gu, "?==?")
    .replaceAll(/=\?utf-8\?([BQ])\?([^?]*)\?=/giu, (_, kind: string, word: string) =>
      kind.toUpperCase() === "B"
        ? Buffer.from(word, "base64").toString("utf8")
        : bytesOfQuoted(word.replaceAll("_", " ")).toString("utf8")
    )

const splitAt = (text: string, separator: string) => {
  const at = text.indexOf(separator)
  return at === -1 ? ([text, ""] as const) : ([text.slice(0, at), text.slice(at + separator.length)] as const)
}

/** Returns the part of this type as text; empty if it does not exist. */
export const partOf = (mail: string, type: string): string => {
  const [head, body] = splitAt(mail, "\r\n\r\n")
  const headers = headersOf(head)
  const boundary = /boundary="?([^";]+)"?/u.exec(headers.get("content-type") ?? "")?.[1]
  if (boundary === undefined) {
    const isIt = (headers.get("content-type") ?? "text/plain").startsWith(type)
    return isIt ? bodyOf(headers.get("content-transfer-encoding"), body).replaceAll("\r\n", "\n") : ""
  }
  return body
    .split(`--${boundary}`)
    .map((part) => partOf(part.replace(/^\r\n/u, ""), type))
    .join("")
}
