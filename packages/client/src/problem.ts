import type { ProblemBodies } from "./operations.generated.ts"
import type { Fault } from "./schemas.generated.ts"

/** Codes of failures without an answer of the service. */
export type ClientCode = "aborted" | "connection_failed" | "timed_out" | "unexpected_answer"

/** The fields that every problem document has (RFC 9457). */
interface ProblemDocument {
  readonly code: string
  readonly detail?: string
  readonly requestId?: string | null
  readonly [field: string]: unknown
}

/** A failed call: the answer of the service, or the reason without an answer. It has every field of the answer. */
export class ParleyProblem<Code extends string = string> extends Error {
  /** Stable name of the failure. */
  readonly code!: Code
  /** HTTP status. 0 without an answer. */
  readonly status!: number
  /** The failure in a sentence. The wording can change. */
  readonly detail!: string
  /** Id of the request in the logs of the service. */
  readonly requestId: string | null = null
  /** Seconds until the service accepts the call again. */
  readonly retryAfter: number | null = null
  /** Faults of the request, each with a JSON pointer. */
  readonly errors: ReadonlyArray<Fault> = []

  constructor(fields: ProblemDocument & { readonly status: number; readonly detail: string }, cause?: unknown) {
    super(`${fields.detail} (${fields.code})`, cause === undefined ? undefined : { cause })
    Object.assign(this, fields)
    this.name = "ParleyProblem"
  }
}

/** A failure with this code, with the fields that the service sends with it. */
export type Problem<Code extends string> = Code extends keyof ProblemBodies
  ? ParleyProblem<Code> & ProblemBodies[Code]
  : ParleyProblem<Code>

/** Whether an error is a problem, with this code if one is given. */
export const isProblem = <Code extends string = string>(
  error: unknown,
  code?: Code
): error is string extends Code ? ParleyProblem : Problem<Code> =>
  error instanceof ParleyProblem && (code === undefined || error.code === code)

/** A failure without an answer of the service. */
export const clientProblem = (code: ClientCode, detail: string, cause?: unknown, status = 0) =>
  new ParleyProblem({ code, status, detail }, cause)

/** Seconds in a Retry-After header. A date is compared with the clock of the service, because the clock of a device can be wrong. */
const secondsIn = (headers: Headers): number | null => {
  const asked = headers.get("retry-after")
  if (asked === null) return null
  const seconds = /^\d+$/u.test(asked)
    ? Number(asked)
    : (Date.parse(asked) - Date.parse(headers.get("date") ?? "")) / 1_000
  return seconds >= 0 ? seconds : null
}

const readDocument = (text: string): ProblemDocument | null => {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === "object" && read !== null && typeof Reflect.get(read, "code") === "string"
      ? (read as ProblemDocument)
      : null
  } catch {
    return null
  }
}

/** The problem of an answer that is not a success. A proxy can answer without a problem document. */
export const problemIn = (response: Response, text: string): ParleyProblem => {
  const { headers, status } = response
  const type = headers.get("content-type") ?? "no content type"
  const document = type.includes("json") ? readDocument(text) : null
  const asked = secondsIn(headers) ?? document?.["retryAfterSeconds"]
  return new ParleyProblem({
    code: "unexpected_answer" satisfies ClientCode,
    detail: `The answer is not one of the service: ${status}, ${type}`,
    requestId: headers.get("x-request-id"),
    ...document,
    retryAfter: typeof asked === "number" ? asked : null,
    status
  })
}
