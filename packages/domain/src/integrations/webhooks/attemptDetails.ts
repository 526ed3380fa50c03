import { Schema } from "effect"
import { utf8Bytes } from "../../platform/files/index.ts"

const Headers = Schema.Record(Schema.String, Schema.String)

/** Sent request without secrets. The body is not stored. */
export const AttemptRequest = Schema.Struct({
  headers: Headers.annotateKey({
    description: "Headers by name. The values of signatures and of additional headers are `[redacted]`."
  }),
  bodySha256: Schema.String.annotateKey({ description: "SHA-256 digest of the body, in hexadecimal digits." }),
  bodyBytes: Schema.Int.annotateKey({ description: "Size of the body, in bytes." })
}).annotate({ identifier: "WebhookAttemptRequest" })
export type AttemptRequest = typeof AttemptRequest.Type

/** Received answer without secrets. */
export const AttemptResponse = Schema.Struct({
  headers: Headers.annotateKey({
    description: "Headers by name. The values of cookies, credentials and secrets are `[redacted]`."
  }),
  body: Schema.String.annotateKey({
    description: "First kilobyte of the body. Known secrets, and values that look like secrets, are `[redacted]`."
  })
}).annotate({ identifier: "WebhookAttemptResponse" })
export type AttemptResponse = typeof AttemptResponse.Type

/** Request and answer of an attempt; the answer is `null` if none arrived. */
export interface AttemptDetails {
  readonly request: AttemptRequest
  readonly response: AttemptResponse | null
}

const redacted = "[redacted]"

const maxHeaders = 40
const maxHeaderLength = 256
const maxBodyBytes = 1_024

/** Length of the text that is redacted before it is cut. A cut secret would not be found. */
const maxRedactedLength = 4_096

const secretName = /auth|cookie|credential|key|passw|secret|session|signature|token/iu

const secretField =
  /((?:api[_-]?key|authorization|cookie|credential|passw|secret|session|signature|token)[\w-]{0,30}"?\s{0,5}[:=]\s{0,5})("(?:[^"\\]|\\.)*"?|[^\s,;&}"']+)/giu

const credentials = /\b(basic|bearer)\s{1,5}[\w.~+/=-]+/giu

/** Shorter secrets would also match ordinary text. */
const minSecretLength = 4

/** Removes known secrets, and values that look like secrets. */
const redactText = (text: string, secrets: ReadonlyArray<string>): string =>
  secrets
    .filter(({ length }) => length >= minSecretLength)
    .reduce((soFar, secret) => soFar.replaceAll(secret, redacted), text)
    .replaceAll(credentials, `$1 ${redacted}`)
    .replaceAll(secretField, `$1${redacted}`)

/** Control characters other than tabs and line ends cannot be stored in every database. */
const control = /[^\P{Cc}\t\n\r]/gu

/** Cuts a text to a number of bytes, at the end of a character. */
const cutBytes = (text: string, most: number): string => {
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += utf8Bytes(character).length
    if (bytes > most) break
    end += character.length
  }
  return text.slice(0, end)
}

/** Headers of a request. Only the named ones show their values. */
export const redactRequestHeaders = (
  headers: Readonly<Record<string, string>>,
  shown: ReadonlySet<string>
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, shown.has(name) ? value : redacted]))

/** Headers and first kilobyte of an answer, without secrets. */
export const redactResponse = (
  { headers, text }: { readonly headers: Readonly<Record<string, string>>; readonly text: string },
  secrets: ReadonlyArray<string>
): AttemptResponse => ({
  headers: Object.fromEntries(
    Object.entries(headers)
      .slice(0, maxHeaders)
      .map(([name, value]) => [
        name.slice(0, maxHeaderLength),
        secretName.test(name) ? redacted : redactText(value, secrets).slice(0, maxHeaderLength).toWellFormed()
      ])
  ),
  body: cutBytes(
    redactText(text.slice(0, maxRedactedLength).toWellFormed().replaceAll(control, ""), secrets),
    maxBodyBytes
  )
})
